import { FakeClock } from '@gantry/mcp-core/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../common/errors/app-error.js';
import { mintApiKey } from '../../infra/crypto/index.js';
import { KeyVerifier } from './key-verifier.js';
import type { KeyMatch } from './keys.repository.js';

const minted = mintApiKey();
let clock: FakeClock;
let lookUps = 0;
let fresh = true;
let answer: () => Promise<KeyMatch | null>;
let verifier: KeyVerifier;

function match(more: Partial<KeyMatch> = {}): KeyMatch {
  return {
    validUntil: null,
    key: {
      id: 'k1',
      name: 'k',
      prefix: 'gty_',
      scopes: ['mcp:call'],
      servers: [],
      createdBy: 'automation',
      createdAt: new Date(0),
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
      tenantId: 't1',
      tenant: { slug: 'acme' },
    },
    ...more,
  };
}

beforeEach(() => {
  clock = new FakeClock(1_000);
  lookUps = 0;
  fresh = true;
  answer = async () => match();
  verifier = new KeyVerifier({
    find: () => {
      lookUps += 1;
      return answer();
    },
    isCacheFresh: () => fresh,
    mayTrustStale: () => clock.now() < 60_000,
    isWellFormed: (token) => token.startsWith('gty_'),
    clock,
  });
});

describe('KeyVerifier', () => {
  it('asks once for concurrent callers, then answers without a promise', async () => {
    const [one, two] = await Promise.all([verifier.lookup(minted.key, 'a'), verifier.lookup(minted.key, 'a')]);
    expect(one).toBe(two);
    expect(verifier.lookup(minted.key, 'a')).toBe(one);
    expect(lookUps).toBe(1);
  });

  it('refuses what cannot be a key without asking', () => {
    expect(verifier.lookup('password', 'a')).toBeUndefined();
    expect(lookUps).toBe(0);
  });

  it('asks again once a key is forgotten', async () => {
    await verifier.lookup(minted.key, 'a');
    answer = async () => null;
    verifier.forgetKey('k1');
    expect(await verifier.lookup(minted.key, 'a')).toBeUndefined();
    expect(verifier.lookup(minted.key, 'a')).toBeUndefined();
    expect(lookUps).toBe(2);
  });

  it('keeps no look-up that began before the key was forgotten', async () => {
    let found: (row: KeyMatch) => void = () => undefined;
    answer = () => new Promise((resolve) => (found = resolve));
    const stale = verifier.lookup(minted.key, 'a');
    verifier.forgetKey('k1');
    found(match());
    await stale;
    answer = async () => null;
    expect(await verifier.lookup(minted.key, 'a')).toBeUndefined();
  });

  it('forgets the keys of one tenant and of no other', async () => {
    await verifier.lookup(minted.key, 'a');
    verifier.forgetTenant('t2');
    expect(verifier.lookup(minted.key, 'a')).not.toBeInstanceOf(Promise);
    verifier.forgetTenant('t1');
    expect(verifier.lookup(minted.key, 'a')).toBeInstanceOf(Promise);
  });

  it('refuses a cached key at the moment it expires', async () => {
    answer = async () => match({ validUntil: new Date(2_000) });
    await verifier.lookup(minted.key, 'a');
    clock.advance(1_999 - clock.now());
    expect(verifier.lookup(minted.key, 'a')).toBeDefined();
    clock.advance(2_000 - clock.now());
    expect(verifier.lookup(minted.key, 'a')).toBeUndefined();
  });

  it('verifies on use while the change log cannot be read', async () => {
    await verifier.lookup(minted.key, 'a');
    fresh = false;
    answer = async () => null;
    expect(await verifier.lookup(minted.key, 'a')).toBeUndefined();
    expect(lookUps).toBe(2);
  });

  it('goes on with a key it knew while the database is away, but not for ever', async () => {
    await verifier.lookup(minted.key, 'a');
    fresh = false;
    answer = () => Promise.reject(new Error('no database'));
    expect(await verifier.lookup(minted.key, 'a')).toMatchObject({ id: 'k1' });
    await expect(verifier.lookup(mintApiKey().key, 'a')).rejects.toThrow('no database');
    clock.advance(60_000 - clock.now());
    await expect(verifier.lookup(minted.key, 'a')).rejects.toThrow('no database');
  });

  it('asks an absent database for a known key once a second, and not each time', async () => {
    await verifier.lookup(minted.key, 'a');
    fresh = false;
    answer = () => Promise.reject(new Error('no database'));
    await verifier.lookup(minted.key, 'a');
    expect(verifier.lookup(minted.key, 'a')).toMatchObject({ id: 'k1' });
    expect(lookUps).toBe(2);
    clock.advance(1_000);
    answer = async () => null;
    expect(await verifier.lookup(minted.key, 'a')).toBeUndefined();
  });

  it('waits a second for a database that says nothing, and hears it out if it does', async () => {
    await verifier.lookup(minted.key, 'a');
    fresh = false;
    let late: (match: KeyMatch | null) => void = () => undefined;
    answer = () => new Promise((resolve) => (late = resolve));
    const waiting = verifier.lookup(minted.key, 'a');
    clock.advance(1_000);
    expect(await waiting).toMatchObject({ id: 'k1' });
    late(null);
    await Promise.resolve();
    answer = async () => null;
    expect(await verifier.lookup(minted.key, 'a')).toBeUndefined();
    expect(clock.pending).toBe(0);
  });

  it('limits unknown keys by address, and lets valid ones through', async () => {
    answer = async () => null;
    for (let i = 0; i < 50; i += 1) await verifier.lookup(mintApiKey().key, 'bad');
    expect(() => verifier.lookup(mintApiKey().key, 'bad')).toThrow(AppError);
    expect(await verifier.lookup(mintApiKey().key, 'good')).toBeUndefined();
    clock.advance(2_000);
    expect(await verifier.lookup(mintApiKey().key, 'bad')).toBeUndefined();
    answer = async () => match();
    for (let i = 0; i < 100; i += 1) expect(await verifier.lookup(mintApiKey().key, 'office')).toBeDefined();
  });

  it('gives the last use of each key once', async () => {
    await verifier.lookup(minted.key, 'a');
    clock.advance(5_000 - clock.now());
    verifier.lookup(minted.key, 'a');
    expect([...verifier.takeUses()]).toEqual([['k1', 5_000]]);
    expect([...verifier.takeUses()]).toEqual([]);
  });
});
