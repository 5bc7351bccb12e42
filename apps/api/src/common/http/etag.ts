import { hash } from 'node:crypto';
import { conflict } from '../errors/app-error.js';

/** A strong entity tag of a JSON value. */
export function etagOf(value: unknown): string {
  return `"${hash('sha256', JSON.stringify(value), 'base64url').slice(0, 27)}"`;
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
