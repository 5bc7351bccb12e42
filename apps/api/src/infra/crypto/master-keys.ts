import { hkdfSync } from 'node:crypto';

/** What a subkey is for; two purposes never share one. */
export type Purpose = 'secrets' | 'request-state' | 'playground';

export interface Subkey {
  /** Says which master key and purpose a subkey came from, and nothing about its bytes. */
  readonly id: string;
  /** 32 bytes. */
  readonly key: Uint8Array;
}

/** Derives one subkey a purpose from the master key (HKDF-SHA256, RFC 5869). */
export class MasterKeys {
  private readonly subkeys = new Map<Purpose, Subkey>();

  /** @param masterKey 32 bytes. */
  constructor(private readonly masterKey: Uint8Array) {
    if (masterKey.length !== 32) throw new RangeError('a master key has 32 bytes');
  }

  subkey(purpose: Purpose): Subkey {
    let subkey = this.subkeys.get(purpose);
    if (!subkey) {
      const id = Buffer.from(this.derive(`${purpose}/id`, 6)).toString('hex');
      subkey = { id, key: this.derive(`${purpose}/key`, 32) };
      this.subkeys.set(purpose, subkey);
    }
    return subkey;
  }

  private derive(info: string, bytes: number): Uint8Array {
    return new Uint8Array(hkdfSync('sha256', this.masterKey, 'gantry', `v1/${info}`, bytes));
  }
}
