import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Subkey } from './master-keys.js';

/** Sealed bytes that do not open: altered, moved to another place, or sealed under another key. */
export class SealError extends Error {}

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/**
 * AES-256-GCM under one subkey (NIST SP 800-38D, random 96-bit nonces). What is sealed is bound to `place`, for
 * instance tenant id and name: it opens nowhere else. Layout: version, nonce, tag, ciphertext.
 */
export class Sealer {
  constructor(private readonly subkey: Subkey) {}

  /** Kept beside the sealed bytes, so that a later key does not try to open them. */
  get keyId(): string {
    return this.subkey.id;
  }

  seal(plain: string | Uint8Array, place: readonly string[]): Uint8Array<ArrayBuffer> {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.subkey.key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(associatedData(place));
    const body = [typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain), cipher.final()];
    return new Uint8Array(Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), ...body]));
  }

  /** @throws SealError when the bytes were not sealed by this key for this place. */
  open(sealed: Uint8Array, keyId: string, place: readonly string[]): Buffer {
    if (keyId !== this.subkey.id) throw new SealError(`sealed under key ${keyId}, this is ${this.subkey.id}`);
    if (sealed.length < HEADER_BYTES || sealed[0] !== VERSION) throw new SealError('not a sealed value');
    const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', this.subkey.key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(associatedData(place));
    decipher.setAuthTag(sealed.subarray(1 + NONCE_BYTES, HEADER_BYTES));
    try {
      return Buffer.concat([decipher.update(sealed.subarray(HEADER_BYTES)), decipher.final()]);
    } catch {
      throw new SealError('the sealed value was altered or belongs elsewhere');
    }
  }
}

/** Unambiguous for any strings: `['a', 'bc']` and `['ab', 'c']` differ. */
function associatedData(place: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify(place), 'utf8');
}
