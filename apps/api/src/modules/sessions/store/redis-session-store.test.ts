import { FakeClock, sessionRecord, sessionStoreContract } from '@gantry/mcp-core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type RedisServer,
  startTemporaryRedis,
  startTemporaryRedisCluster,
} from '../../../../../../scripts/lib/redis.mjs';
import { commandCounts, openRedisNode, type RedisNode } from '../../../../test/harness/redis-node.js';
import { sessionKeys, sessionTag } from '../session-keys.js';
import { placeOf, scopeKeys, subscribersKey } from './index-keys.js';
import { RedisSessionStore } from './redis-session-store.js';

const clock = new FakeClock();

function storeOf(node: RedisNode): RedisSessionStore {
  return new RedisSessionStore({
    redis: node.redis.commands,
    clock,
    onFault: (error) => node.faults.push(error),
  });
}

function subjectOf(node: RedisNode) {
  return {
    store: storeOf(node),
    now: () => clock.now(),
    advance: (ms: number) => clock.advance(ms),
    close: () => expect(node.faults).toEqual([]),
  };
}

describe('in a Redis Cluster', () => {
  let cluster: Awaited<ReturnType<typeof startTemporaryRedisCluster>>;
  let node: RedisNode;

  beforeAll(async () => {
    cluster = await startTemporaryRedisCluster();
    node = await openRedisNode(cluster.urls, 'n1');
  });
  afterAll(async () => {
    node?.close();
    await cluster?.stop();
  });

  sessionStoreContract('Redis Cluster', () => subjectOf(node));
});

describe('in one Redis', () => {
  let server: RedisServer;
  let node: RedisNode;
  let store: RedisSessionStore;
  const redis = () => node.redis.commands;

  beforeAll(async () => {
    server = await startTemporaryRedis();
    node = await openRedisNode([server.url], 'n1');
    store = storeOf(node);
  });
  afterAll(async () => {
    node?.close();
    await server?.stop();
  });

  sessionStoreContract('Redis', () => subjectOf(node));

  /** Commands sent while something is done, without those that scripts make and those that ask for the counts. */
  async function sent(what: () => Promise<unknown>): Promise<number> {
    const before = await commandCounts(node.redis);
    await what();
    const after = await commandCounts(node.redis);
    const count = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
    return count('evalsha') + count('eval');
  }

  it('costs two commands to open a session, and one to use it', async () => {
    const record = sessionRecord(clock.now());
    const caps = [record.server, `${record.server}/:all`, `${record.server}/:of:me`].map((scope) => ({
      scope,
      max: 10,
    }));
    // Its scripts are known to the server after the first use.
    const known = sessionRecord(clock.now());
    await store.create(known, [{ scope: known.server, max: 10 }]);
    await store.touch(known, 10_000);
    expect(await sent(() => store.create(record, caps as never))).toBe(2);
    expect(await sent(() => store.touch(record, 10_000))).toBe(1);
    clock.advance(900);
    expect(await sent(() => store.touch(record, 10_000))).toBe(1);
  });

  it('tells the lists now and then how long a session lives, and never a later end than it has', async () => {
    const record = sessionRecord(clock.now());
    await store.create(record, [{ scope: record.server, max: 1 }]);
    const listed = async () =>
      Number(await redis().zscore(scopeKeys(record.server).ends, placeOf(record.createdAt, sessionTag(record))));
    clock.advance(900);
    await store.touch(record, 10_000);
    expect(await listed()).toBe(record.expiresAt);
    clock.advance(200);
    await store.touch(record, 10_000);
    // The answer does not wait for it.
    await expect.poll(listed).toBe(clock.now() + 10_000);
    await store.touch(record, 1_000);
    expect(await listed()).toBe(clock.now() + 1_000);
    clock.advance(1_001);
    expect(
      await store.create(sessionRecord(clock.now(), record.server === '' ? {} : { server: record.server }), [
        { scope: record.server, max: 1 },
      ]),
    ).toBe('created');
  });

  it('counts and lists a session that lives although the lists were told of an earlier end', async () => {
    const record = sessionRecord(clock.now());
    const { server } = record;
    await store.create(record, [{ scope: server, max: 1 }]);
    await store.subscribe(record, 'docs://a', 10);
    clock.advance(5_000);
    const touched = await store.touch(record, 10_000);
    await redis().zadd(scopeKeys(server).ends, record.expiresAt, placeOf(record.createdAt, sessionTag(record)));
    clock.advance(6_000);
    expect(await store.create(sessionRecord(clock.now(), { server }), [{ scope: server, max: 1 }])).toEqual({
      scope: server,
      max: 1,
    });
    expect((await store.list(server, 10)).items).toEqual([touched]);
    expect(await store.subscribers(server, 'docs://a')).toEqual([touched]);
  });

  it('leaves no trace of sessions that lapsed, in any list, when others come', async () => {
    const { server } = sessionRecord(clock.now());
    const scopes = [server, `${server}/:all`];
    const caps = scopes.map((scope) => ({ scope, max: 100 })) as never;
    const lapsing = Array.from({ length: 8 }, () => sessionRecord(clock.now(), { server }, 1_000));
    for (const record of lapsing) await store.create(record, caps);
    clock.advance(1_001);
    await store.create(sessionRecord(clock.now(), { server }), caps);
    const left = () =>
      Promise.all(scopes.map(scopeKeys).flatMap(({ order, ends }) => [redis().zcard(order), redis().zcard(ends)]));
    await expect.poll(left).toEqual([1, 1, 1, 1]);
    const keys = lapsing.map((record) => sessionKeys(sessionTag(record)).session);
    expect(await redis().exists(...keys)).toBe(0);
  });

  it('finds the few that live among many that lapsed in a few steps, and lets go of those', async () => {
    const { server } = sessionRecord(clock.now());
    const caps = [{ scope: server, max: 10_000 }] as const;
    const lapsing = Array.from({ length: 1_000 }, () => sessionRecord(clock.now(), { server }, 1_000));
    await Promise.all(lapsing.map((record) => store.create(record, caps)));
    clock.advance(1_001);
    const living = sessionRecord(clock.now(), { server });
    await store.create(living, caps);
    const before = await commandCounts(node.redis);
    expect((await store.list(server, 1)).items).toEqual([living]);
    const after = await commandCounts(node.redis);
    const reads = (after.get('zrangebylex') ?? 0) - (before.get('zrangebylex') ?? 0);
    expect(reads).toBeLessThan(15);
    await expect.poll(() => redis().zcard(scopeKeys(server).order), { timeout: 10_000 }).toBe(1);
  });

  it('forgets a subscription in every place when it is over, or its session is', async () => {
    const record = sessionRecord(clock.now());
    const { server } = record;
    await store.create(record, [{ scope: server, max: 10 }]);
    for (const uri of ['docs://a', 'docs://b']) await store.subscribe(record, uri, 10);
    const named = () => Promise.all(['docs://a', 'docs://b'].map((uri) => redis().zcard(subscribersKey(server, uri))));
    expect(await named()).toEqual([1, 1]);
    await store.unsubscribe(record, 'docs://a');
    await expect.poll(named).toEqual([0, 1]);
    await store.delete(record);
    await expect.poll(named).toEqual([0, 0]);
  });

  it('does not lose a subscription that is made again while an older one is being forgotten', async () => {
    const record = sessionRecord(clock.now());
    const { server } = record;
    await store.create(record, [{ scope: server, max: 10 }]);
    for (let round = 0; round < 50; round++) {
      const last = [store.subscribe(record, 'docs://a', 1), store.unsubscribe(record, 'docs://a')];
      await Promise.all([...last, store.subscribers(server, 'docs://a'), store.subscribe(record, 'docs://a', 1)]);
      expect(await store.subscribers(server, 'docs://a')).toHaveLength(1);
    }
  });

  it('gives a place back when the session could not be stored', async () => {
    const record = sessionRecord(clock.now());
    const { server } = record;
    await redis().set(sessionKeys(sessionTag(record)).session, 'not a hash');
    await expect(store.create(record, [{ scope: server, max: 1 }])).rejects.toThrow('WRONGTYPE');
    await redis().del(sessionKeys(sessionTag(record)).session);
    const count = () => redis().zcard(scopeKeys(server).ends);
    await expect.poll(count).toBe(0);
  });

  it('refuses at once while Redis is away, and goes on when it is back', async () => {
    const record = sessionRecord(clock.now());
    await store.create(record, [{ scope: record.server, max: 1 }]);
    await server.kill();
    await expect(store.touch(record, 1_000)).rejects.toThrow();
    await server.start();
    await expect.poll(() => node.redis.up()).toBe(true);
    expect(await store.touch(record, 1_000)).toBeUndefined();
  });
});
