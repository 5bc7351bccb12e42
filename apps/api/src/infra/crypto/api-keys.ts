import { randomBytes } from 'node:crypto';
import { sha256 } from './hash.js';

/** Tells an API key from other credentials. */
export const API_KEY_PREFIX = 'gty_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_BYTES = 24;
// Digits of base 62 that hold 192 and 32 bits.
const SECRET_DIGITS = 33;
const CHECKSUM_DIGITS = 6;
const SHAPE = new RegExp(`^${API_KEY_PREFIX}[0-9A-Za-z]{${SECRET_DIGITS + CHECKSUM_DIGITS}}$`);
const SHOWN = API_KEY_PREFIX.length + 8;

export interface ParsedApiKey {
  /** The first characters, by which people tell their keys apart. */
  readonly prefix: string;
  /** What is stored and looked up: SHA-256 of the whole key. */
  readonly hash: Uint8Array<ArrayBuffer>;
}

export interface MintedApiKey extends ParsedApiKey {
  /** Shown once, stored nowhere. */
  readonly key: string;
}

/** A new key: `gty_`, 192 random bits and a checksum, letters and digits only so that a double click selects it. */
export function mintApiKey(): MintedApiKey {
  const secret = API_KEY_PREFIX + digits(randomBytes(SECRET_BYTES), SECRET_DIGITS);
  return describe(secret + checksum(secret));
}

/** The key in a credential, or undefined for what cannot be one: a typing error costs no look-up. */
export function parseApiKey(credential: string): ParsedApiKey | undefined {
  if (!SHAPE.test(credential)) return undefined;
  const end = credential.length - CHECKSUM_DIGITS;
  if (checksum(credential.slice(0, end)) !== credential.slice(end)) return undefined;
  const { prefix, hash } = describe(credential);
  return { prefix, hash };
}

function describe(key: string): MintedApiKey {
  return { key, prefix: key.slice(0, SHOWN), hash: sha256(key) };
}

function checksum(secret: string): string {
  return digits(sha256(secret).subarray(0, 4), CHECKSUM_DIGITS);
}

function digits(bytes: Uint8Array, length: number): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (let i = 0; i < length; i++) {
    text = ALPHABET[Number(rest % 62n)] + text;
    rest /= 62n;
  }
  return text;
}
