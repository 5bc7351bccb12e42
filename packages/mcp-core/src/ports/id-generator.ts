import { randomBytes } from 'node:crypto';

/** Unguessable identifiers: at least 128 random bits, visible ASCII, safe in a header and in a path. */
export interface IdGenerator {
  next(): string;
}

export const randomIds: IdGenerator = { next: () => randomBytes(16).toString('hex') };
