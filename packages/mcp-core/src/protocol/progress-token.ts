import { isJsonObject, PROGRESS_TOKEN_KEY } from './meta-keys.js';
import type { ProgressToken } from './types.js';

/** Well-formed text or an integer; 0 and the empty string are tokens like any other. */
export function isProgressToken(value: unknown): value is ProgressToken {
  // Half of a surrogate pair could not be given back as it came.
  return typeof value === 'string' ? value.isWellFormed() : Number.isInteger(value);
}

/** What stands as token in a request's params: undefined when there is none, else the value as it came. */
export function rawProgressToken(params: Record<string, unknown>): unknown {
  return isJsonObject(params._meta) ? params._meta[PROGRESS_TOKEN_KEY] : undefined;
}
