/** Where a client stands: a stream of its session, and the last event of it that arrived. */
export interface EventPosition {
  readonly stream: string;
  readonly sequence: number;
}

export function encodeEventId({ stream, sequence }: EventPosition): string {
  return `${stream}.${sequence}`;
}

/** Undefined for what is no event id; whether its stream exists only the session's log knows. */
export function decodeEventId(text: string): EventPosition | undefined {
  const match = /^([A-Za-z0-9_-]{1,64})\.(\d{1,15})$/.exec(text);
  return match === null ? undefined : { stream: match[1] as string, sequence: Number(match[2]) };
}
