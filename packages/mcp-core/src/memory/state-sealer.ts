import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { StateSealer } from '../ports/state-sealer.js';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Seals with a key of this process: what it sealed opens here alone. */
export class InMemoryStateSealer implements StateSealer {
  readonly #key = randomBytes(32);

  seal(text: string, bound: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce).setAAD(Buffer.from(bound));
    return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString('base64url');
  }

  open(sealed: string, bound: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    // What decodes to the same bytes although it was changed is not what was given out.
    if (bytes.length < NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== sealed) return undefined;
    try {
      const decipher = createDecipheriv(CIPHER, this.#key, bytes.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(bound));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString();
    } catch {
      return undefined;
    }
  }
}
