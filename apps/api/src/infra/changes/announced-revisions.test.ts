import { FakeClock } from '@gantry/mcp-core/testing';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RedisServer, startTemporaryRedis } from '../../../../../scripts/lib/redis.mjs';
import type { AnnouncedRevisions } from './announced-revisions.js';
import { InMemoryAnnouncedRevisions } from './in-memory-announced-revisions.js';
import { RedisAnnouncedRevisions } from './redis-announced-revisions.js';

let server: RedisServer;
let redis: Redis;
beforeAll(async () => {
  server = await startTemporaryRedis();
  redis = new Redis(server.url);
});
afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
});

interface Subject {
  readonly revisions: AnnouncedRevisions;
  elapse(ms: number): Promise<void>;
}

const subjects: [string, () => Promise<Subject>][] = [
  [
    'in memory',
    async () => {
      const clock = new FakeClock();
      return { revisions: new InMemoryAnnouncedRevisions(clock), elapse: async (ms) => clock.advance(ms) };
    },
  ],
  [
    'in Redis',
    async () => {
      await redis.flushall();
      const elapse = async (ms: number) => {
        for (const key of await redis.keys('*')) {
          if (await redis.hexists(key, 'until')) await redis.hincrby(key, 'until', -ms);
        }
      };
      return { revisions: new RedisAnnouncedRevisions(redis), elapse };
    },
  ],
];

describe.each(subjects)('announced revisions %s', (_where, make) => {
  let revisions: AnnouncedRevisions;
  let elapse: Subject['elapse'];
  beforeEach(async () => {
    ({ revisions, elapse } = await make());
  });

  it('are claimed by one of those who come at once', async () => {
    const claims = await Promise.all(Array.from({ length: 20 }, (_, at) => revisions.claim('a', 2, `node-${at}`)));
    expect(claims.filter(({ kind }) => kind === 'yours')).toEqual([{ kind: 'yours', since: undefined }]);
    for (const claim of claims) if (claim.kind === 'taken') expect(claim.leftMs).toBeGreaterThan(4_000);
    expect(claims.filter(({ kind }) => kind === 'taken')).toHaveLength(19);
    expect(await revisions.claim('b', 2, 'another')).toMatchObject({ kind: 'yours' });
  });

  it('are announced once, and the next begins where that ended', async () => {
    await revisions.claim('a', 2, 'one');
    await revisions.announced('a', 2, 'one');
    expect(await revisions.claim('a', 2, 'two')).toEqual({ kind: 'announced' });
    expect(await revisions.claim('a', 1, 'two')).toEqual({ kind: 'announced' });
    expect(await revisions.claim('a', 5, 'two')).toEqual({ kind: 'yours', since: 2 });
  });

  it('are for another to announce when the holder has not done so in time', async () => {
    await revisions.claim('a', 2, 'one');
    await elapse(4_000);
    expect(await revisions.claim('a', 2, 'two')).toMatchObject({ kind: 'taken' });
    expect(await revisions.claim('a', 2, 'one')).toMatchObject({ kind: 'yours' });
    await elapse(4_000);
    expect(await revisions.claim('a', 2, 'two')).toMatchObject({ kind: 'taken' });
    await elapse(1_100);
    expect(await revisions.claim('a', 2, 'two')).toMatchObject({ kind: 'yours' });
    // The first woke up and had done it after all; the claim of the second stands.
    await revisions.announced('a', 2, 'one');
    expect(await revisions.claim('a', 3, 'three')).toMatchObject({ kind: 'taken' });
    expect(await revisions.claim('a', 3, 'two')).toEqual({ kind: 'yours', since: 2 });
  });

  it('never go back', async () => {
    await revisions.announced('a', 3, 'one');
    await revisions.announced('a', 2, 'two');
    expect(await revisions.claim('a', 3, 'two')).toEqual({ kind: 'announced' });
  });
});
