import { describe, expect, it } from 'vitest';
import {
  equalSecrets,
  hashPassword,
  MasterKeys,
  mintApiKey,
  mintSessionToken,
  PasswordsBusyError,
  parseApiKey,
  SealError,
  Sealer,
  sha256,
  verifyPassword,
} from './index.js';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe('sha256', () => {
  it('gives the standard digest', () => {
    expect(hex(sha256('abc'))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(sha256(Buffer.from('abc'))).toEqual(sha256('abc'));
  });
});

describe('equalSecrets', () => {
  it('compares secrets of any lengths', () => {
    expect(equalSecrets('one', 'one')).toBe(true);
    expect(equalSecrets('one', 'two')).toBe(false);
    expect(equalSecrets('one', 'longer')).toBe(false);
  });
});

describe('MasterKeys', () => {
  const keys = new MasterKeys(Buffer.alloc(32, 1));

  it('derives a subkey a purpose, the same one each time', () => {
    expect(keys.subkey('secrets').key).toHaveLength(32);
    expect(hex(keys.subkey('secrets').key)).not.toBe(hex(keys.subkey('request-state').key));
    expect(keys.subkey('secrets').id).not.toBe(keys.subkey('request-state').id);
    expect(new MasterKeys(Buffer.alloc(32, 1)).subkey('secrets')).toEqual(keys.subkey('secrets'));
  });

  it('keeps deriving the same bytes as before, or nothing sealed would open', () => {
    expect(keys.subkey('secrets').id).toBe('e978b8e39e1b');
    expect(hex(sha256(keys.subkey('secrets').key))).toBe(
      '942d354cf80d337965fb943529c394e5ab0af36eb2736e491bf280e53576908a',
    );
  });

  it('gives another master key other ids', () => {
    expect(new MasterKeys(Buffer.alloc(32, 2)).subkey('secrets').id).not.toBe(keys.subkey('secrets').id);
  });

  it('takes 32 bytes only', () => {
    expect(() => new MasterKeys(Buffer.alloc(16))).toThrow(RangeError);
  });
});

describe('Sealer', () => {
  const sealer = new Sealer(new MasterKeys(Buffer.alloc(32, 1)).subkey('secrets'));
  const place = ['tenant', 'NAME'];

  it('opens what it sealed, also the empty value', () => {
    for (const value of ['', 'geheim ☃', 'x'.repeat(100_000)]) {
      expect(sealer.open(sealer.seal(value, place), sealer.keyId, place).toString('utf8')).toBe(value);
    }
    const bytes = Uint8Array.of(0, 255, 7);
    expect([...sealer.open(sealer.seal(bytes, place), sealer.keyId, place)]).toEqual([0, 255, 7]);
  });

  it('never seals a value the same way twice', () => {
    expect(hex(sealer.seal('a', place))).not.toBe(hex(sealer.seal('a', place)));
  });

  it.each([[['other', 'NAME']], [['tenant', 'OTHER']], [['tenantN', 'AME']], [['tenant']]])(
    'opens nothing for another place: %j',
    (other) => {
      expect(() => sealer.open(sealer.seal('a', place), sealer.keyId, other)).toThrow(SealError);
    },
  );

  it('opens nothing that was altered, in any byte', () => {
    const sealed = sealer.seal('abc', place);
    for (let i = 0; i < sealed.length; i++) {
      const altered = Uint8Array.from(sealed);
      altered[i] = (altered[i] ?? 0) ^ 1;
      expect(() => sealer.open(altered, sealer.keyId, place)).toThrow(SealError);
    }
    expect(() => sealer.open(sealed.subarray(0, 20), sealer.keyId, place)).toThrow(SealError);
    expect(() => sealer.open(new Uint8Array(), sealer.keyId, place)).toThrow(SealError);
  });

  it('says so when a value was sealed under another key', () => {
    const other = new Sealer(new MasterKeys(Buffer.alloc(32, 2)).subkey('secrets'));
    expect(() => other.open(sealer.seal('a', place), sealer.keyId, place)).toThrow(`sealed under key ${sealer.keyId}`);
  });
});

describe('API keys', () => {
  it('are letters and digits behind gty_, and parse to what was minted', () => {
    const minted = mintApiKey();
    expect(minted.key).toMatch(/^gty_[0-9A-Za-z]{39}$/);
    expect(minted.key.startsWith(minted.prefix)).toBe(true);
    expect(minted.prefix).toHaveLength(12);
    expect(minted.hash).toEqual(sha256(minted.key));
    expect(parseApiKey(minted.key)).toEqual({ prefix: minted.prefix, hash: minted.hash });
  });

  it('never repeat', () => {
    expect(new Set(Array.from({ length: 1000 }, () => mintApiKey().key)).size).toBe(1000);
  });

  it('with one character changed are no keys', () => {
    const { key } = mintApiKey();
    for (let i = 4; i < key.length; i++) {
      const other = key[i] === 'x' ? 'y' : 'x';
      expect(parseApiKey(key.slice(0, i) + other + key.slice(i + 1))).toBeUndefined();
    }
  });

  it.each(['', 'gty_', 'GTY_x', 'Bearer x', `gty_${'0'.repeat(38)}`, `gty_${'0'.repeat(40)}`, ` ${'x'.repeat(43)}`])(
    'are not %j',
    (text) => {
      expect(parseApiKey(text)).toBeUndefined();
    },
  );
});

describe('session tokens', () => {
  it('carry 256 random bits', () => {
    expect(mintSessionToken()).toMatch(/^gts_[A-Za-z0-9_-]{43}$/);
    expect(mintSessionToken()).not.toBe(mintSessionToken());
  });
});

describe('passwords', () => {
  it('verify against their own argon2id hash and no other', async () => {
    const hash = await hashPassword('correct horse');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verifyPassword(hash, 'correct horse')).toBe(true);
    expect(await verifyPassword(hash, 'wrong horse')).toBe(false);
    expect(await hashPassword('correct horse')).not.toBe(hash);
  });

  it('are refused when too many wait, and go on afterwards', async () => {
    const hash = await hashPassword('a');
    // A wrong hash fails at once, so the flood costs nothing.
    const flood = Array.from({ length: 110 }, () => verifyPassword('no hash', 'a').catch((error: Error) => error));
    const results = await Promise.all(flood);
    expect(results.filter((result) => result instanceof PasswordsBusyError)).toHaveLength(8);
    expect(await verifyPassword(hash, 'a')).toBe(true);
  });
});
