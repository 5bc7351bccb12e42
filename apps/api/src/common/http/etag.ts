import { hash } from 'node:crypto';
import { conflict } from '../errors/app-error.js';
import { isObject } from '../json.js';

/** An entity tag of a JSON value. The order of members does not count: what is sent and what is stored may differ in it. */
export function etagOf(value: unknown): string {
  return `"${hash('sha256', JSON.stringify(value, inOrder), 'base64url').slice(0, 27)}"`;
}

function inOrder(_key: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Holds an `If-Match` header against what is stored (RFC 9110 section 13.1.1).
 * Throws `conflict` when somebody changed it since; without the header the last writer wins.
 */
export function requireMatch(ifMatch: string | undefined, current: unknown): void {
  if (ifMatch === undefined) return;
  if (current !== undefined) {
    if (ifMatch.trim() === '*') return;
    const tag = etagOf(current);
    if (ifMatch.split(',').some((candidate) => candidate.trim() === tag)) return;
  }
  throw conflict('It was changed after you read it. Read it again and repeat your change.');
}
