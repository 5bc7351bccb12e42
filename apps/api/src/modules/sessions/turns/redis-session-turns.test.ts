import { type SessionKey, type SessionTurn, systemClock } from '@gantry/mcp-core';
import { FakeClock, sessionRecord, sessionTurnsContract } from '@gantry/mcp-core/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type RedisServer,
  startTemporaryRedis,
  startTemporaryRedisCluster,
} from '../../../../../../scripts/lib/redis.mjs';
import { openRedisNode, type RedisNode } from '../../../../test/harness/redis-node.js';
import { nodeChannelName } from '../../../infra/redis/redis-node-channel.js';
import { sessionKeys, sessionTag } from '../session-keys.js';
import { RedisSessionStore } from '../store/redis-session-store.js';
import { RedisSessionTurns, type TurnTimes } from './redis-session-turns.js';

const forever = new AbortController().signal;
const LIMIT_MS = 60_000;

function held(turn: unknown): SessionTurn {
  if (typeof turn === 'string') throw new Error(`no turn: ${turn}`);
  return turn as SessionTurn;
}

function storeOf(node: RedisNode, clock = systemClock) {
  return new RedisSessionStore({ redis: node.redis.commands, clock, onFault: (error) => node.faults.push(error) });
}

async function openSession(store: RedisSessionStore, now: number): Promise<SessionKey> {
  const record = sessionRecord(now, {}, LIMIT_MS);
  await store.create(record, [{ scope: record.server, max: 1 }]);
  return record;
}

function contract(name: string, nodes: () => readonly [RedisNode, RedisNode]) {
  sessionTurnsContract(name, () => {
    const clock = new FakeClock();
    const [one, two] = nodes();
    const [turns, elsewhere] = [one, two].map(
      (node) =>
        new RedisSessionTurns({
          redis: node.redis.commands,
          channel: node.channel,
          clock,
          onFault: (error) => node.faults.push(error),
        }),
    ) as [RedisSessionTurns, RedisSessionTurns];
    const store = storeOf(one, clock);
    return {
      turns,
      elsewhere,
      session: () => openSession(store, clock.now()),
      end: async (session) => void (await store.delete(session)),
      advance: (ms) => clock.advance(ms),
      close: () => {
        turns.close();
        elsewhere.close();
        expect([...one.faults, ...two.faults]).toEqual([]);
      },
    };
  });
}

describe('in a Redis Cluster', () => {
  let cluster: Awaited<ReturnType<typeof startTemporaryRedisCluster>>;
  let nodes: RedisNode[] = [];

  beforeAll(async () => {
    cluster = await startTemporaryRedisCluster();
    nodes = await Promise.all(['n1', 'n2'].map((id) => openRedisNode(cluster.urls, id)));
  });
  afterAll(async () => {
    for (const node of nodes) node.close();
    await cluster?.stop();
  });

  contract('Redis Cluster', () => nodes as [RedisNode, RedisNode]);
});

describe('in one Redis', () => {
  const times: TurnTimes = { leaseMs: 400, renewMs: 100, claimMs: 200, recheckMs: 60, silentMs: 250 };
  /** Bells alone must do: nobody asks by itself within a test. */
  const patient: TurnTimes = { leaseMs: 60_000, renewMs: 20_000, claimMs: 60_000, recheckMs: 60_000, silentMs: 90_000 };
  let server: RedisServer;
  let nodes: RedisNode[] = [];
  let store: RedisSessionStore;
  let session: SessionKey;
  const opened: RedisSessionTurns[] = [];

  const turnsOf = (node: RedisNode, of: TurnTimes = times) => {
    const turns = new RedisSessionTurns({
      redis: node.redis.commands,
      channel: node.channel,
      clock: systemClock,
      onFault: (error) => node.faults.push(error),
      times: of,
    });
    opened.push(turns);
    return turns;
  };
  const keys = () => sessionKeys(sessionTag(session));
  const queueLength = () => (nodes[0] as RedisNode).redis.commands.llen(keys().queue);

  beforeAll(async () => {
    server = await startTemporaryRedis();
    nodes = await Promise.all(['n1', 'n2'].map((id) => openRedisNode([server.url], id)));
    store = storeOf(nodes[0] as RedisNode);
  });
  afterAll(async () => {
    for (const node of nodes) node.close();
    await server?.stop();
  });
  beforeEach(async () => {
    session = await openSession(store, Date.now());
  });
  afterEach(() => {
    for (const turns of opened.splice(0)) turns.close();
  });

  contract('Redis', () => nodes as [RedisNode, RedisNode]);

  it('frees the turn of a node that dies while it holds it, with the state from before', async () => {
    const dying = await openRedisNode([server.url], 'dying');
    const first = held(await turnsOf(dying).take(session, forever, LIMIT_MS));
    await first.end('{"n":1}');
    held(await turnsOf(dying).take(session, forever, LIMIT_MS));
    const next = turnsOf(nodes[0] as RedisNode).take(session, forever, LIMIT_MS);
    await expect.poll(queueLength).toBe(1);
    dying.close();
    expect(held(await next).state).toBe('{"n":1}');
  });

  it('holds the turn for as long as a run takes, however often others ask', async () => {
    const first = held(await turnsOf(nodes[0] as RedisNode).take(session, forever, LIMIT_MS));
    let over = false;
    const next = turnsOf(nodes[1] as RedisNode).take(session, forever, LIMIT_MS);
    void next.then(() => (over = true));
    const { commands } = (nodes[0] as RedisNode).redis;
    const until = async () => Number(await commands.hget(keys().turn, 'until'));
    const granted = await until();
    await expect.poll(until, { timeout: 5_000 }).toBeGreaterThan(granted + times.leaseMs);
    expect([over, first.lost?.aborted]).toEqual([false, false]);
    expect(await first.end('{"n":1}')).toBe(true);
    expect(held(await next).state).toBe('{"n":1}');
  });

  it('tells a run that its turn was lost, and stores nothing of it', async () => {
    const sleepy = turnsOf(nodes[0] as RedisNode, { ...patient, leaseMs: 100 });
    const first = held(await sleepy.take(session, forever, LIMIT_MS));
    const second = held(await turnsOf(nodes[1] as RedisNode).take(session, forever, LIMIT_MS));
    expect(await first.end('{"who":"first"}')).toBe(false);
    expect(await second.end('{"who":"second"}')).toBe(true);
    expect(await (nodes[0] as RedisNode).redis.commands.get(keys().state)).toBe('{"who":"second"}');
  });

  it('says so as soon as it is known that the turn was lost', async () => {
    const { commands } = (nodes[0] as RedisNode).redis;
    const turn = held(await turnsOf(nodes[0] as RedisNode).take(session, forever, LIMIT_MS));
    await commands.hset(keys().turn, 'holder', 'n9:1');
    await expect.poll(() => turn.lost?.aborted).toBe(true);
    expect(await turn.end('{"n":1}')).toBe(false);
    expect(await commands.hget(keys().turn, 'holder')).toBe('n9:1');
  });

  it('is lost when it could not be renewed for as long as it was granted', async () => {
    const turn = held(await turnsOf(nodes[0] as RedisNode).take(session, forever, LIMIT_MS));
    server.pause();
    try {
      await expect.poll(() => turn.lost?.aborted, { timeout: 10_000 }).toBe(true);
    } finally {
      server.resume();
    }
    expect(await turn.end('{"n":1}')).toBe(false);
    expect(await (nodes[0] as RedisNode).redis.commands.exists(keys().state)).toBe(0);
  });

  it('passes over a queue of calls whose node died, without a wait for each', async () => {
    const first = held(await turnsOf(nodes[0] as RedisNode).take(session, forever, LIMIT_MS));
    const dying = await openRedisNode([server.url], 'dying');
    const lost = turnsOf(dying);
    for (let at = 0; at < 20; at++) lost.take(session, forever, LIMIT_MS).catch(() => {});
    await expect.poll(queueLength).toBe(20);
    const { commands } = (nodes[0] as RedisNode).redis;
    const next = turnsOf(nodes[1] as RedisNode).take(session, forever, LIMIT_MS);
    await expect.poll(queueLength).toBe(21);
    dying.close();
    // Redis' own clock says when they have been silent for too long.
    const heard = Number((await commands.hvals(keys().waiting))[0]);
    const redisNow = async () => {
      const [seconds, micros] = await commands.time();
      return Number(seconds) * 1_000 + Number(micros) / 1_000;
    };
    await expect.poll(redisNow, { timeout: 5_000 }).toBeGreaterThan(heard + 2 * times.silentMs);
    const began = Date.now();
    await first.end('{"n":1}');
    expect(held(await next).state).toBe('{"n":1}');
    expect(Date.now() - began).toBeLessThan(20 * times.claimMs);
  });

  it('goes on with the next when the one whose turn it is does not come for it', async () => {
    const { commands } = (nodes[0] as RedisNode).redis;
    const first = held(await turnsOf(nodes[0] as RedisNode).take(session, forever, LIMIT_MS));
    await commands.rpush(keys().queue, 'gone:1');
    const [seconds] = await commands.time();
    await commands.hset(keys().waiting, 'gone:1', Number(seconds) * 1_000 + 60_000);
    const next = turnsOf(nodes[1] as RedisNode).take(session, forever, LIMIT_MS);
    await expect.poll(queueLength).toBe(2);
    await first.end();
    expect(await commands.hget(keys().turn, 'holder')).toBe('gone:1');
    expect(await held(await next).end()).toBe(true);
  });

  it('comes for its turn although the bell was lost', async () => {
    const deaf = { ...(nodes[1] as RedisNode) };
    const turns = new RedisSessionTurns({
      redis: deaf.redis.commands,
      channel: { nodeId: 'deaf', send() {}, broadcast() {}, on: () => () => {}, onGap: () => () => {} },
      clock: systemClock,
      onFault: (error) => deaf.faults.push(error),
      times,
    });
    const first = held(await turnsOf(nodes[0] as RedisNode).take(session, forever, LIMIT_MS));
    const next = turns.take(session, forever, LIMIT_MS);
    await expect.poll(queueLength).toBe(1);
    await first.end('{"n":1}');
    expect(held(await next).state).toBe('{"n":1}');
  });

  it('asks at once when bells may have been lost', async () => {
    const one = turnsOf(nodes[0] as RedisNode, patient);
    const first = held(await one.take(session, forever, LIMIT_MS));
    const other = await openRedisNode([server.url], 'gap');
    const next = turnsOf(other, patient).take(session, forever, LIMIT_MS);
    await expect.poll(queueLength).toBe(1);
    const { commands } = (nodes[0] as RedisNode).redis;
    await commands.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await first.end('{"n":1}');
    expect(held(await next).state).toBe('{"n":1}');
    await Promise.all(nodes.map((node) => node.channel.whenHearing()));
    other.close();
  });

  it('rings the next at its node only', async () => {
    const [one, two] = nodes as [RedisNode, RedisNode];
    const heard: string[] = [];
    const watcher = one.redis.connectSubscriber();
    await new Promise<void>((resolve) => watcher.once('ready', () => resolve()));
    watcher.on('pmessage', (_pattern: string, channel: string) => void heard.push(channel));
    await watcher.psubscribe('gantry:*');
    const first = held(await turnsOf(one, patient).take(session, forever, LIMIT_MS));
    const next = turnsOf(two, patient).take(session, forever, LIMIT_MS);
    await expect.poll(queueLength).toBe(1);
    await first.end();
    await held(await next).end();
    expect(heard).toEqual([nodeChannelName('n2')]);
    watcher.disconnect();
  });

  it('stores no state in a session that has ended, and lets nobody wait in it', async () => {
    const turns = turnsOf(nodes[0] as RedisNode);
    const turn = held(await turns.take(session, forever, LIMIT_MS));
    const waiting = turnsOf(nodes[1] as RedisNode).take(session, forever, LIMIT_MS);
    await expect.poll(queueLength).toBe(1);
    await store.delete(session);
    expect(await waiting).toBe('ended');
    expect(await turn.end('{"n":1}')).toBe(false);
    const all = Object.values(keys());
    expect(await (nodes[0] as RedisNode).redis.commands.exists(...all)).toBe(0);
  });

  it('gives a fault, and no turn, while Redis is away', async () => {
    const turns = turnsOf(nodes[0] as RedisNode);
    const turn = held(await turns.take(session, forever, LIMIT_MS));
    const waiting = expect(turnsOf(nodes[1] as RedisNode).take(session, forever, LIMIT_MS)).rejects.toThrow();
    await expect.poll(queueLength).toBe(1);
    await server.kill();
    await waiting;
    await expect(turn.end('{"n":1}')).rejects.toThrow();
    await server.start();
    await expect
      .poll(() => nodes.every((node) => node.redis.up() && node.channel.hearing), { timeout: 10_000 })
      .toBe(true);
  });
});
