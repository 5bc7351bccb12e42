import { createHash, timingSafeEqual } from 'node:crypto';

/** SHA-256 of bytes, or of a string's UTF-8. */
export function sha256(data: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(data).digest());
}

/** Whether two secrets are equal, in a time that tells nothing about either. */
export function equalSecrets(one: string, other: string): boolean {
  return timingSafeEqual(sha256(one), sha256(other));
}
