import { beforeEach, describe, expect, it } from 'vitest';
import type { EffectiveLimits } from './limits.js';
import { type CountedSession, SessionLimits } from './session-limits.js';

const limits: EffectiveLimits = {
  callsPerMinute: undefined,
  concurrentCalls: undefined,
  sessions: 3,
  sessionsPerKey: 2,
  listens: 1,
};

let now: number;
let counts: number;
let living: CountedSession[];
let caps: SessionLimits;

beforeEach(() => {
  now = 10_000;
  counts = 0;
  living = [];
  caps = new SessionLimits(
    async () => {
      counts += 1;
      return living;
    },
    () => now,
  );
});

async function open(owner: string, tenantId = 't'): Promise<boolean> {
  const refused = (await caps.open(tenantId, owner, limits)) !== undefined;
  if (!refused) living.push({ tenantId, owner });
  return !refused;
}

describe('SessionLimits', () => {
  it('counts nothing while there is room', async () => {
    expect([await open('a'), await open('a')]).toEqual([true, true]);
    expect(counts).toBe(0);
  });

  it('refuses the session over the cap of a key, and leaves other keys their room', async () => {
    expect([await open('a'), await open('a'), await open('a')]).toEqual([true, true, false]);
    expect(await open('b')).toBe(true);
  });

  it('refuses the session over the cap of a tenant, and leaves other tenants alone', async () => {
    expect([await open('a'), await open('b'), await open('c'), await open('d')]).toEqual([true, true, true, false]);
    expect(await open('a', 'other')).toBe(true);
  });

  it('lets a session in when others have ended since', async () => {
    await open('a');
    await open('a');
    living.pop();
    expect(await open('a')).toBe(true);
    expect(counts).toBe(1);
  });

  it('counts at most once a second however often it is asked', async () => {
    await open('a');
    await open('a');
    for (let asked = 0; asked < 5; asked += 1) expect(await open('a')).toBe(false);
    expect(counts).toBe(1);
    living.pop();
    now += 1_000;
    expect(await open('a')).toBe(true);
    expect(counts).toBe(2);
  });

  it('says which cap it was', async () => {
    await open('a');
    await open('a');
    expect(await caps.open('t', 'a', limits)).toEqual({ limit: 'sessions', max: 2, retryAfterSeconds: 5 });
  });
});
