import { createHash } from 'node:crypto';

/** Where the next page begins: after the named item, which stood at that index when the cursor was made. */
export interface Position {
  readonly after: string;
  readonly index: number;
}

/**
 * An opaque cursor. It names the last item seen, so that a list which changed between two pages is still walked
 * without a hole, and it is tied to its list: a cursor of another server or method is invalid.
 */
export function encodeCursor(list: string, { after, index }: Position): string {
  const payload = Buffer.from(JSON.stringify([after, index])).toString('base64url');
  return `${payload}.${seal(list, payload)}`;
}

/** Undefined for anything `encodeCursor` did not make for the same list. */
export function decodeCursor(list: string, cursor: unknown): Position | undefined {
  if (typeof cursor !== 'string' || cursor.length > 1024) return undefined;
  const dot = cursor.indexOf('.');
  const payload = cursor.slice(0, Math.max(dot, 0));
  if (payload === '' || cursor.slice(dot + 1) !== seal(list, payload)) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    if (!Array.isArray(value) || typeof value[0] !== 'string' || !Number.isSafeInteger(value[1])) return undefined;
    return { after: value[0], index: value[1] };
  } catch {
    return undefined;
  }
}

/** A checksum against mix-ups, not against forgery: a forged cursor reads nothing that the list does not show anyway. */
function seal(list: string, payload: string): string {
  return createHash('sha256').update(`${list}\n${payload}`).digest('base64url').slice(0, 11);
}
