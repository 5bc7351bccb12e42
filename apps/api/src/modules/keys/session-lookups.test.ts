import { beforeEach, expect, it } from 'vitest';
import type { UserPrincipal } from '../../common/auth/principal.js';
import { mintSessionToken } from '../../infra/crypto/index.js';
import { SessionLookups } from './session-lookups.js';

const person = { kind: 'user', id: 'u1' } as UserPrincipal;
let live: Set<string>;
let asked: number;
let now: number;
let lookups: SessionLookups;

beforeEach(() => {
  live = new Set();
  asked = 0;
  now = 0;
  lookups = new SessionLookups({
    find: async (token) => {
      asked += 1;
      return live.has(token) ? person : undefined;
    },
    now: () => now,
  });
});

async function guess(times: number, address: string): Promise<void> {
  for (let i = 0; i < times; i += 1) expect(await lookups.verify(mintSessionToken(), address)).toBeUndefined();
}

it('asks nobody for what cannot be a session token', async () => {
  for (const token of ['gts_', 'gts_short', `gts_${'x'.repeat(8_000)}`, mintSessionToken().replace('gts_', 'gty_')])
    expect(await lookups.verify(token, 'a')).toBeUndefined();
  expect(asked).toBe(0);
});

it('stops an address that guesses, for a while, and no other address', async () => {
  await guess(50, 'a');
  await expect(lookups.verify(mintSessionToken(), 'a')).rejects.toMatchObject({ code: 'rate_limited' });
  expect(asked).toBe(50);
  await guess(1, 'b');
  now += 1_000;
  await guess(1, 'a');
});

it('goes on serving sessions it has seen at an address that guesses, until they end', async () => {
  const token = mintSessionToken();
  live.add(token);
  expect(await lookups.verify(token, 'a')).toBe(person);
  await guess(50, 'a');
  expect(await lookups.verify(token, 'a')).toBe(person);
  live.delete(token);
  expect(await lookups.verify(token, 'a')).toBeUndefined();
  await expect(lookups.verify(token, 'a')).rejects.toMatchObject({ code: 'rate_limited' });
});

it('takes nothing for a look-up that failed', async () => {
  const failing = new SessionLookups({ find: () => Promise.reject(new Error('away')), now: () => 0 });
  for (let i = 0; i < 60; i += 1) await expect(failing.verify(mintSessionToken(), 'a')).rejects.toThrow('away');
});
