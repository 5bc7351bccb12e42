import { randomBytes } from 'node:crypto';

/** Unguessable identifiers: at least 128 random bits, visible ASCII, safe in a header and in a path. */
export interface IdGenerator {
  next(): string;
}

/** 128 bits of the system's random source, as 32 hex digits. */
export const randomIds: IdGenerator = { next: () => randomBytes(16).toString('hex') };
