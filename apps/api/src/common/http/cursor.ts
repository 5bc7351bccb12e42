import type { Page } from '@gantry/contracts';
import type { z } from 'zod';
import { AppError } from '../errors/app-error.js';

/** A position in a list as an opaque word for the client. */
export function encodeCursor(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** The position a cursor holds; anything we did not write ourselves is 400. */
export function decodeCursor<T>(cursor: string | undefined, schema: z.ZodType<T>): T | undefined {
  if (cursor === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch (cause) {
    throw new AppError('bad_request', 'The cursor is not one that this list gave.', {
      errors: [{ path: '/cursor', message: 'must be a cursor of the page before' }],
      cause,
    });
  }
}

/** A page from `limit + 1` rows: the extra one only tells that there is more. */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  limit: number,
  item: (row: Row) => Item,
  position: (row: Row) => unknown,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(item),
    ...(rows.length > limit && last !== undefined ? { nextCursor: encodeCursor(position(last)) } : {}),
  };
}
