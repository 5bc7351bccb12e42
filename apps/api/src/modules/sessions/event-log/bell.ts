import { SEPARATOR } from './log-scripts.js';

/** The topic of bells on the channel between nodes. */
export const BELL_TOPIC = 'log';

/** Events were added to a stream, or it has ended. */
export interface EventsBell {
  readonly kind: 'events';
  /** Sequences of the events it is about; `last` is before `first` when it only tells the end. */
  readonly first: number;
  readonly last: number;
  readonly ended: boolean;
  /** The events themselves; undefined when they are too long for a bell. */
  readonly data: readonly string[] | undefined;
}

export type Bell =
  | EventsBell
  /** Another node shows the stream now; `epoch` counts how often that was settled. */
  | { readonly kind: 'taken'; readonly epoch: number }
  /** The session's streams were dropped. */
  | { readonly kind: 'dropped' };

/** Reads a bell: which stream, by its name in bells, and what of it. Undefined for what is none. */
export function parseBell(body: string): { readonly stream: string; readonly bell: Bell } | undefined {
  const tagEnd = body.indexOf(SEPARATOR);
  const nameEnd = body.indexOf(SEPARATOR, tagEnd + 1);
  if (tagEnd < 0 || nameEnd < 0) return undefined;
  const bell = parse(body, nameEnd + 1);
  return bell && { stream: body.slice(0, nameEnd), bell };
}

function parse(body: string, start: number): Bell | undefined {
  const kind = body[start];
  if (kind === 'd') return { kind: 'dropped' };
  if (kind === 't') {
    const epoch = whole(body.slice(start + 1));
    return epoch === undefined ? undefined : { kind: 'taken', epoch };
  }
  if (kind !== 'e') return undefined;
  const headEnd = body.indexOf(SEPARATOR, start);
  const [first, last, ended] = body
    .slice(start + 1, headEnd < 0 ? undefined : headEnd)
    .split(' ')
    .map(whole);
  if (first === undefined || last === undefined || ended === undefined) return undefined;
  const data = headEnd < 0 ? undefined : body.slice(headEnd + 1).split(SEPARATOR);
  const fits = first >= 1 && last >= first - 1 && (data === undefined || data.length === last - first + 1);
  return fits ? { kind: 'events', first, last, ended: ended === 1, data } : undefined;
}

function whole(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
