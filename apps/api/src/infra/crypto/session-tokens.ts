import { randomBytes } from 'node:crypto';

/** Tells a console session from a key and from the admin token. */
export const SESSION_TOKEN_PREFIX = 'gts_';

/** A console session's token: 256 random bits. Only its SHA-256 is stored. */
export function mintSessionToken(): string {
  return SESSION_TOKEN_PREFIX + randomBytes(32).toString('base64url');
}
