import { systemClock } from '@gantry/mcp-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type RedisServer,
  startTemporaryRedis,
  startTemporaryRedisCluster,
} from '../../../../../scripts/lib/redis.mjs';
import { createRedisClients, type RedisClients } from '../../infra/redis/redis-clients.js';
import { RedisNodeChannel } from '../../infra/redis/redis-node-channel.js';
import { NodeSelf } from './node-self.js';
import { RedisAwayError, RedisNodeRegistry } from './redis-node-registry.js';

// Long enough for a machine that is busy with others.
const LEASE_MS = 2_000;
const SOON = 10_000;
const about = { role: 'api', version: '1.0.0', nodeUrl: 'http://127.0.0.1:4000' } as const;
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** A node as the application builds it, with its own connections. */
class Node {
  readonly clients: RedisClients;
  readonly channel: RedisNodeChannel;
  readonly self: NodeSelf;
  readonly registry: RedisNodeRegistry;
  readonly told: string[] = [];
  readonly warnings: { about: Record<string, unknown>; text: string }[] = [];

  constructor(id: string, urls: readonly string[], keepGoneMs?: number) {
    this.clients = createRedisClients(urls, silent);
    this.channel = new RedisNodeChannel({ nodeId: id, redis: this.clients, clock: systemClock, onFault() {} });
    this.self = new NodeSelf(id, about, systemClock);
    const log = {
      ...silent,
      warn: (about: Record<string, unknown>, text: string) => void this.warnings.push({ about, text }),
    };
    this.registry = new RedisNodeRegistry({
      self: this.self,
      redis: this.clients,
      channel: this.channel,
      clock: systemClock,
      log: log as never,
      beatMs: 100,
      leaseMs: LEASE_MS,
      ...(keepGoneMs === undefined ? {} : { keepGoneMs }),
    });
    this.registry.onGone((node) => this.told.push(node));
  }

  async start(): Promise<this> {
    this.channel.start();
    await this.channel.whenHearing();
    await this.registry.join();
    return this;
  }

  /** As kill -9 ends it. */
  kill(): void {
    const { registry } = this;
    // @ts-expect-error nobody else may cut the heart of a node
    registry.left = true;
    // @ts-expect-error see above
    registry.timer?.cancel();
    this.close();
  }

  close(): void {
    this.channel.close();
    this.clients.close();
    this.self.onApplicationShutdown();
  }

  saysReclaimed(): unknown[] {
    return this.warnings
      .filter(({ text }) => /is gone: its lease has lapsed/.test(text))
      .map(({ about }) => about.node);
  }
}

let redis: RedisServer;
let nodes: Node[] = [];

const start = async (id: string, keepGoneMs?: number) => {
  const node = new Node(id, [redis.url], keepGoneMs);
  nodes.push(node);
  return node.start();
};
const three = () => Promise.all(['a', 'b', 'c'].map((id) => start(id))) as Promise<[Node, Node, Node]>;
const statesOf = async (node: Node) =>
  Object.fromEntries((await node.registry.list()).map(({ id, state }) => [id, state]));

beforeAll(async () => {
  redis = await startTemporaryRedis();
});
afterAll(() => redis?.stop());
beforeEach(() => {
  nodes = [];
});
afterEach(async () => {
  const commands = createRedisClients([redis.url], silent);
  for (const node of nodes) node.kill();
  await vi.waitFor(() => commands.commands.flushall(), SOON);
  commands.close();
});

describe('RedisNodeRegistry', () => {
  it('shows every node to every node, with what it says of itself', async () => {
    const [a, b, c] = await three();
    b.self.reports(() => ({ sessions: 3, streams: 2, listens: 1, inFlight: 4 }));
    for (const node of [a, b, c]) {
      await vi.waitFor(() => expect([...node.registry.living()].sort()).toEqual(['a', 'b', 'c']), SOON);
    }
    await vi.waitFor(async () => {
      const shown = (await a.registry.list()).find(({ id }) => id === 'b');
      expect(shown).toMatchObject({ ...load(3, 2, 1, 4), role: 'api', version: '1.0.0', url: about.nodeUrl });
      expect(shown).toMatchObject({
        state: 'ready',
        heapBytes: expect.any(Number),
        eventLoopLagMs: expect.any(Number),
      });
      expect(Math.abs(Date.parse(shown?.lastSeenAt ?? '') - Date.now())).toBeLessThan(5_000);
    }, SOON);
    expect((await c.registry.list()).filter(({ answering }) => answering).map(({ id }) => id)).toEqual(['c']);
  });

  it('finds a killed node gone on every other node, and lets one of them reclaim it', async () => {
    const [a, b, c] = await three();
    c.kill();
    for (const node of [a, b]) await vi.waitFor(() => expect(node.told).toEqual(['c']), SOON);
    expect([a.registry.isGone('c'), b.registry.isGone('c'), a.registry.isGone('b')]).toEqual([true, true, false]);
    expect([...a.saysReclaimed(), ...b.saysReclaimed()]).toEqual(['c']);
    expect(await statesOf(a)).toEqual({ a: 'ready', b: 'ready', c: 'gone' });
    expect((await b.registry.list()).find(({ id }) => id === 'c')?.goneAt).toBeDefined();
    expect(a.registry.living()).not.toContain('c');
  });

  it('gives a node a new lease that slept through its own, and tells it', async () => {
    const [a, b] = await three();
    const sleeper = await start('sleeper');
    sleeper.self.onApplicationShutdown();
    // @ts-expect-error a process that is stopped fires no timer
    sleeper.registry.timer.cancel();
    await vi.waitFor(() => expect(a.told).toEqual(['sleeper']), SOON);
    // @ts-expect-error it wakes
    sleeper.registry.schedule();
    await vi.waitFor(
      () => expect(sleeper.warnings.map(({ text }) => text)).toContainEqual(expect.stringMatching(/held for gone/)),
      SOON,
    );
    for (const node of [a, b]) await vi.waitFor(() => expect(node.registry.isGone('sleeper')).toBe(false), SOON);
    expect(await statesOf(a)).toMatchObject({ sleeper: 'ready' });
    expect(a.registry.living()).toContain('sleeper');
  });

  it('lets a node go at once that says goodbye, and forgets it in time', async () => {
    const [a, b] = await three();
    const leaver = await start('leaver', 300);
    await leaver.registry.leave();
    for (const node of [a, b]) await vi.waitFor(() => expect(node.told).toEqual(['leaver']), SOON);
    expect(await statesOf(a)).toMatchObject({ leaver: 'gone' });
    const brief = await start('brief', 100);
    await vi.waitFor(async () => expect(await statesOf(brief)).not.toHaveProperty('leaver'), SOON);
    expect(a.registry.isGone('leaver')).toBe(true);
    expect([...a.saysReclaimed(), ...b.saysReclaimed()]).toEqual([]);
  });

  it('holds no node for gone because Redis was away, and says that it is away', async () => {
    const [a, b, c] = await three();
    redis.pause();
    try {
      // Longer than twice a lease.
      await vi.waitFor(() => expect(a.registry.shared().detail).toMatch(/for 4 s/), SOON);
      await expect(a.registry.list()).rejects.toMatchObject({ code: 'unavailable' });
    } finally {
      redis.resume();
    }
    for (const node of [a, b, c]) await vi.waitFor(() => expect(node.registry.shared()).toEqual({ ok: true }), SOON);
    for (const node of [a, b, c]) expect([...node.registry.living()].sort()).toEqual(['a', 'b', 'c']);
    expect([a.told, b.told, c.told]).toEqual([[], [], []]);
    expect(await statesOf(a)).toEqual({ a: 'ready', b: 'ready', c: 'ready' });
  }, 30_000);

  it('comes back by itself with a Redis that has forgotten everything', async () => {
    const [a, b, c] = await three();
    await redis.kill();
    await redis.start();
    for (const node of [a, b, c]) {
      await vi.waitFor(() => expect([...node.registry.living()].sort()).toEqual(['a', 'b', 'c']), SOON);
    }
    expect([a.told, b.told, c.told]).toEqual([[], [], []]);
  }, 30_000);

  it('asks Redis once a beat, its ping included', async () => {
    const a = await start('a');
    const calls = async () => {
      const stats = await a.clients.commands.info('commandstats');
      return Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1] ?? 0);
    };
    const expectPing = vi.spyOn(a.channel, 'expectPing');
    const before = await calls();
    await vi.waitFor(() => expect(expectPing.mock.calls.length).toBeGreaterThanOrEqual(5), SOON);
    expect((await calls()) - before).toBeLessThanOrEqual(expectPing.mock.calls.length);
    expect(a.channel.hearing).toBe(true);
  });
});

describe('joining', () => {
  it('waits for a Redis that comes, and names the variable when none does', async () => {
    await redis.kill();
    const node = new Node('early', [redis.url]);
    nodes.push(node);
    const joined = node.registry.join();
    await redis.start();
    await joined;
    expect(node.registry.living()).toEqual(['early']);
    const nowhere = new Node('nowhere', ['redis://user:hunter2@127.0.0.1:1']);
    nodes.push(nowhere);
    const failed = await nowhere.registry.join(300).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(RedisAwayError);
    expect((failed as Error).message).toMatch(/^REDIS_URL: no Redis answered within \d+ s: .*ECONNREFUSED/);
    expect((failed as Error).message).not.toMatch(/hunter2|\n/);
  }, 30_000);
});

describe('RedisNodeRegistry on a Redis Cluster', () => {
  it('keeps leases there as well', async () => {
    const cluster = await startTemporaryRedisCluster();
    const [a, b] = [new Node('a', cluster.urls), new Node('b', cluster.urls)];
    try {
      for (const node of [a, b]) await vi.waitFor(() => expect(node.clients.up()).toBe(true), SOON);
      await Promise.all([a.start(), b.start()]);
      await vi.waitFor(() => expect([...a.registry.living()].sort()).toEqual(['a', 'b']), SOON);
      b.kill();
      await vi.waitFor(() => expect(a.told).toEqual(['b']), SOON);
    } finally {
      a.kill();
      b.close();
      await cluster.stop();
    }
  }, 60_000);
});

function load(sessions: number, streams: number, listens: number, inFlight: number) {
  return { sessions, streams, listens, inFlight };
}
