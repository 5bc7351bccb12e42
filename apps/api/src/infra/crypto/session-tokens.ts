import { randomBytes } from 'node:crypto';

/** Tells a console session from a key and from the admin token. */
export const SESSION_TOKEN_PREFIX = 'gts_';

// 256 bits in base64url.
const SHAPE = new RegExp(`^${SESSION_TOKEN_PREFIX}[A-Za-z0-9_-]{43}$`);

/** False for what cannot be a session's token: it costs no look-up. */
export function isSessionToken(credential: string): boolean {
  return SHAPE.test(credential);
}

/** A console session's token: 256 random bits. Only its SHA-256 is stored. */
export function mintSessionToken(): string {
  return SESSION_TOKEN_PREFIX + randomBytes(32).toString('base64url');
}
