import { systemClock } from '@gantry/mcp-core';
import { FakeClock } from '@gantry/mcp-core/testing';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type RedisServer,
  startTemporaryRedis,
  startTemporaryRedisCluster,
} from '../../../../../scripts/lib/redis.mjs';
import { createRedisClients } from './redis-clients.js';
import { nodeChannelName, RedisNodeChannel } from './redis-node-channel.js';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const closes: Array<() => void> = [];
let redis: RedisServer;
let admin: Redis;
let count = 0;

beforeAll(async () => {
  redis = await startTemporaryRedis();
  admin = new Redis(redis.url);
});
afterEach(() => {
  for (const close of closes.splice(0)) close();
});
afterAll(async () => {
  admin.disconnect();
  await redis.stop();
});

async function node({ urls = [redis.url], clock = systemClock, onFault = vi.fn() } = {}) {
  const clients = createRedisClients(urls, quiet);
  const channel = new RedisNodeChannel({ nodeId: `node-${++count}`, redis: clients, clock, onFault });
  const heard: string[] = [];
  const gaps = vi.fn();
  channel.on('topic', (body, from) => heard.push(`${from}: ${body}`));
  channel.onGap(gaps);
  channel.start();
  closes.push(() => {
    channel.close();
    clients.close();
  });
  await channel.whenHearing();
  await vi.waitUntil(() => clients.up());
  gaps.mockClear();
  return { channel, clients, heard, gaps, onFault, id: channel.nodeId };
}

const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 10_000, interval: 5 });

describe('RedisNodeChannel', () => {
  it('brings what one node sends another in the order it was sent, lines and all', async () => {
    const [a, b] = [await node(), await node()];
    for (let at = 0; at < 500; at++) a.channel.send(b.id, 'topic', `line ${at}\nand € more`);
    await until(() => b.heard.length === 500);
    expect(b.heard).toEqual(Array.from({ length: 500 }, (_, at) => `${a.id}: line ${at}\nand € more`));
    expect(a.heard).toEqual([]);
  });

  it('brings what is for everybody to everybody else, and what a node sends to itself', async () => {
    const [a, b, c] = [await node(), await node(), await node()];
    a.channel.broadcast('topic', 'all');
    a.channel.send(a.id, 'topic', 'me');
    await until(() => [a, b, c].every(({ heard }) => heard.length === 1));
    expect([a.heard, b.heard, c.heard]).toEqual([[`${a.id}: me`], [`${a.id}: all`], [`${a.id}: all`]]);
  });

  it('tells nobody of a topic that is not heard any more, and no listener of another’s fault', async () => {
    const [a, b] = [await node(), await node()];
    const [fault, late] = [vi.fn(), vi.fn()];
    const stop = b.channel.on('topic', late);
    b.channel.on('topic', () => {
      throw new Error('broken');
    });
    b.channel.on('topic', fault);
    stop();
    a.channel.send(b.id, 'topic', 'x');
    await until(() => fault.mock.calls.length === 1);
    expect([b.heard.length, late.mock.calls.length, b.onFault.mock.calls.length]).toEqual([1, 0, 1]);
  });

  it('takes nothing that is no message', async () => {
    const [a, b] = [await node(), await node()];
    for (const text of ['', 'topic', 'topic\nfrom']) await admin.publish(nodeChannelName(b.id), text);
    a.channel.send(b.id, 'topic', '');
    await until(() => b.heard.length === 1);
    expect(b.heard).toEqual([`${a.id}: `]);
    expect(b.onFault).not.toHaveBeenCalled();
  });

  it('hears again after its connection was cut, and says that something may be lost (JOB-04)', async () => {
    const [a, b] = [await node(), await node()];
    for (let cut = 1; cut <= 3; cut++) {
      await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
      await until(() => b.gaps.mock.calls.length === cut);
      expect(b.channel.hearing).toBe(true);
      a.channel.send(b.id, 'topic', String(cut));
      await until(() => b.heard.length === cut);
    }
  });

  it('hears again when Redis was away', async () => {
    const [a, b] = [await node(), await node()];
    await redis.kill();
    await until(() => !b.channel.hearing);
    a.channel.send(b.id, 'topic', 'lost');
    await until(() => a.onFault.mock.calls.length > 0);
    await redis.start();
    await until(() => b.gaps.mock.calls.length > 0 && a.clients.up());
    a.channel.send(b.id, 'topic', 'heard');
    await until(() => b.heard.length > 0);
    expect(b.heard).toEqual([`${a.id}: heard`]);
  });

  it('says nothing when its ping comes in time, and that something may be lost when it comes late', async () => {
    const clock = new FakeClock();
    const b = await node({ clock });
    const ping = async (lateMs: number) => {
      b.channel.expectPing();
      clock.advance(lateMs);
      await admin.publish(nodeChannelName(b.id), b.channel.pingMessage);
      await until(() => clock.pending === 0);
      return b.gaps.mock.calls.length;
    };
    expect([await ping(0), await ping(1_000), await ping(1_001)]).toEqual([0, 0, 1]);
  });

  it('takes a connection for dead over which no ping comes', async () => {
    const clock = new FakeClock();
    const b = await node({ clock });
    b.channel.expectPing();
    b.channel.expectPing();
    clock.advance(4_000);
    await until(() => !b.channel.hearing && clock.pending === 1);
    // One that is sent while nobody hears it says nothing of the next connection.
    b.channel.expectPing();
    clock.advance(1_000);
    await until(() => b.gaps.mock.calls.length === 1);
    expect([b.channel.hearing, clock.pending]).toEqual([true, 0]);
    b.channel.expectPing();
    b.channel.forgetPing();
    expect(clock.pending).toBe(0);
  });

  it('is silent once it is closed', async () => {
    const [a, b] = [await node(), await node()];
    b.channel.close();
    expect(b.channel.hearing).toBe(false);
    a.channel.send(b.id, 'topic', 'late');
    await a.clients.commands.ping();
    expect(b.heard).toEqual([]);
  });

  it('reaches a node that listens at another server of a Redis Cluster, and keeps the order there too', async () => {
    const cluster = await startTemporaryRedisCluster();
    try {
      const all = await Promise.all(cluster.urls.map((url) => node({ urls: [url, ...cluster.urls] })));
      for (const one of all) for (const other of all) one.channel.send(other.id, 'topic', 'hello');
      await until(() => all.every(({ heard }) => heard.length === 3));
      const expected = all.map(({ id }) => `${id}: hello`).sort();
      for (const { heard } of all) expect(heard.splice(0).sort()).toEqual(expected);
      const [a, b] = all as [(typeof all)[0], (typeof all)[0]];
      for (let at = 0; at < 200; at += 2) {
        a.channel.send(b.id, 'topic', String(at));
        a.channel.broadcast('topic', String(at + 1));
      }
      await until(() => b.heard.length === 200);
      expect(b.heard).toEqual(Array.from({ length: 200 }, (_, at) => `${a.id}: ${at}`));
    } finally {
      for (const close of closes.splice(0)) close();
      await cluster.stop();
    }
  });
});
