import { isJsonObject } from '../protocol/meta-keys.js';
import { UnexpectedAnswerError } from './errors.js';

/** Pages one list may have: a server that never ends its list must not keep its client for ever. */
const MAX_PAGES = 1_000;

/** @throws UnexpectedAnswerError */
export function objectAnswer(method: string, answer: unknown): Record<string, unknown> {
  if (!isJsonObject(answer)) throw new UnexpectedAnswerError(method, 'it is no object');
  return answer;
}

/** An answer whose member of that name is a list. @throws UnexpectedAnswerError */
export function listAnswer<T>(method: string, answer: unknown, member: string): T & Record<string, unknown> {
  const object = objectAnswer(method, answer);
  if (!Array.isArray(object[member])) throw new UnexpectedAnswerError(method, `${member} is no array`);
  return object as T & Record<string, unknown>;
}

/**
 * Walks a list page by page, in order.
 * @throws UnexpectedAnswerError for a cursor that comes twice, or more than `MAX_PAGES` pages
 */
export async function walkPages<T>(
  method: string,
  member: string,
  ask: (params: { cursor?: string }) => Promise<unknown>,
): Promise<T[]> {
  const items: T[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = listAnswer<{ nextCursor?: unknown }>(
      method,
      await ask(cursor === undefined ? {} : { cursor }),
      member,
    );
    // One by one: as arguments of one call, a very long page would not fit on the stack.
    for (const item of answer[member] as T[]) items.push(item);
    const { nextCursor } = answer;
    if (nextCursor === undefined || nextCursor === null) return items;
    if (typeof nextCursor !== 'string') throw new UnexpectedAnswerError(method, 'nextCursor is no string');
    if (seen.has(nextCursor)) throw new UnexpectedAnswerError(method, 'the same nextCursor came twice');
    seen.add(nextCursor);
    cursor = nextCursor;
  }
  throw new UnexpectedAnswerError(method, `the list has more than ${MAX_PAGES} pages`);
}
