import { type NodeMessage, type ServerChange, type SessionKey, systemClock } from '@gantry/mcp-core';
import { changeBusContract, FakeClock, nodeBusContract, sessionRecord } from '@gantry/mcp-core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type RedisServer,
  startTemporaryRedis,
  startTemporaryRedisCluster,
} from '../../../../../../scripts/lib/redis.mjs';
import { openRedisNode, type RedisNode } from '../../../../test/harness/redis-node.js';
import { nodeChannelName, nodeMessage } from '../../../infra/redis/redis-node-channel.js';
import { sessionKeys, sessionTag } from '../session-keys.js';
import { RedisSessionStore } from '../store/redis-session-store.js';
import { ChannelNodeBus } from './channel-node-bus.js';
import { RedisChangeBus } from './redis-change-bus.js';

const wiringOf = (node: RedisNode) => ({
  redis: node.redis.commands,
  channel: node.channel,
  clock: systemClock,
  onFault: (error: unknown) => void node.faults.push(error),
});

function contracts(name: string, nodes: () => readonly [RedisNode, RedisNode]) {
  nodeBusContract(name, () => {
    const [one, two] = nodes().map((node) => new ChannelNodeBus(wiringOf(node))) as [ChannelNodeBus, ChannelNodeBus];
    return { one, two };
  });
  changeBusContract(name, () => {
    const [one, two] = nodes().map((node) => new RedisChangeBus(wiringOf(node))) as [RedisChangeBus, RedisChangeBus];
    const close = () => {
      one.close();
      two.close();
    };
    return { one, two, close };
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

  contracts('Redis Cluster', () => nodes as [RedisNode, RedisNode]);
});

describe('in one Redis', () => {
  let server: RedisServer;
  let one: RedisNode;
  let two: RedisNode;

  beforeAll(async () => {
    server = await startTemporaryRedis();
    [one, two] = (await Promise.all(['n1', 'n2'].map((id) => openRedisNode([server.url], id)))) as [
      RedisNode,
      RedisNode,
    ];
  });
  afterAll(async () => {
    one?.close();
    two?.close();
    await server?.stop();
  });

  contracts('Redis', () => [one, two]);

  async function openSession(): Promise<SessionKey> {
    const record = sessionRecord(Date.now(), {}, 60_000);
    const store = new RedisSessionStore(wiringOf(one));
    await store.create(record, [{ scope: record.server, max: 1 }]);
    const { server: of, owner, id } = record;
    return { server: of, owner, id };
  }
  const cancelOf = (session: SessionKey, request = 'n1'): NodeMessage => ({ kind: 'cancel', session, request });
  /** Resolves when what was sent before from the first node has been done. */
  const done = () => one.redis.commands.ping();

  it('keeps cancels and answers for a node that did not hear them, each for those it was meant for (CAN-01)', async () => {
    const session = await openSession();
    const [first, second] = [new ChannelNodeBus(wiringOf(one)), new ChannelNodeBus(wiringOf(two))];
    const answer: NodeMessage = { kind: 'answer', session, response: { jsonrpc: '2.0', id: 'n2.q', result: {} } };
    first.broadcast('n1', cancelOf(session));
    first.send('n2', answer);
    first.send('n3', cancelOf(session, 'for another'));
    first.broadcast('n1', { kind: 'initialized', session });
    await done();
    expect(await first.kept('n1', session)).toEqual([]);
    expect(await second.kept('n2', session)).toEqual([cancelOf(session), answer]);
    expect(await second.kept('n2', session)).toEqual([]);
    expect(await new ChannelNodeBus(wiringOf(two)).kept('n2', await openSession())).toEqual([]);
  });

  it('tells nothing twice, by a late word and by what was kept', async () => {
    const session = await openSession();
    const [first, second] = [new ChannelNodeBus(wiringOf(one)), new ChannelNodeBus(wiringOf(two))];
    const heard: NodeMessage[] = [];
    const stop = second.listen('n2', (message) => heard.push(message));
    first.broadcast('n1', cancelOf(session, 'a'));
    await expect.poll(() => heard.length).toBe(1);
    expect(await second.kept('n2', session)).toEqual([]);
    stop();
    first.broadcast('n1', cancelOf(session, 'b'));
    await done();
    expect(await second.kept('n2', session)).toEqual([cancelOf(session, 'b')]);
  });

  it('says when words may have been lost, and then has them', async () => {
    const session = await openSession();
    const [first, second] = [new ChannelNodeBus(wiringOf(one)), new ChannelNodeBus(wiringOf(two))];
    const missed = new Promise<readonly NodeMessage[]>((resolve) => {
      second.listen(
        'n2',
        () => {},
        () => resolve(second.kept('n2', session)),
      );
    });
    // The word comes into the gap: the connection is cut in the same breath.
    const { commands } = one.redis;
    commands.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    first.broadcast('n1', cancelOf(session));
    expect(await missed).toEqual([cancelOf(session)]);
    await Promise.all([one.channel.whenHearing(), two.channel.whenHearing()]);
  });

  it('keeps what is too long to be said, and has it looked for', async () => {
    const session = await openSession();
    const [first, second] = [new ChannelNodeBus(wiringOf(one)), new ChannelNodeBus(wiringOf(two))];
    const result = { text: 'x'.repeat(2_000_000) };
    const answer: NodeMessage = { kind: 'answer', session, response: { jsonrpc: '2.0', id: 'n2.q', result } };
    const came = new Promise((resolve) => second.listen('n2', resolve));
    first.send('n2', answer);
    expect(await came).toEqual(answer);
  });

  it('keeps no more than so many words of a session, and for no session that is gone', async () => {
    const session = await openSession();
    const first = new ChannelNodeBus(wiringOf(one));
    for (let at = 0; at < 200; at++) first.broadcast('n1', cancelOf(session, `n${at}`));
    await done();
    const kept = await new ChannelNodeBus(wiringOf(two)).kept('n2', session);
    expect(kept).toEqual(Array.from({ length: 128 }, (_, at) => cancelOf(session, `n${at + 72}`)));
    const long = 'x'.repeat(400_000);
    for (let at = 0; at < 4; at++) first.broadcast('n1', cancelOf(session, `${at}${long}`));
    await done();
    const again = await new ChannelNodeBus(wiringOf(two)).kept('n2', session);
    expect(again).toEqual([2, 3].map((at) => cancelOf(session, `${at}${long}`)));
    const gone = { ...session, id: 'gone' };
    first.broadcast('n1', cancelOf(gone));
    await done();
    expect(await one.redis.commands.exists(sessionKeys(sessionTag(gone)).words)).toBe(0);
  });

  it('says nothing to a name that no node can have, and hears nothing that no node says', async () => {
    const session = await openSession();
    const [first, second] = [new ChannelNodeBus(wiringOf(one)), new ChannelNodeBus(wiringOf(two))];
    const heard: unknown[] = [];
    second.listen('n2', (message) => heard.push(message));
    const before = await one.redis.commands.publish(nodeChannelName('a b'), 'nobody');
    for (const name of ['', 'a b', 'n2\n', 'x'.repeat(65), '*']) first.send(name, cancelOf(session));
    for (const text of ['', 'x', 'x {}', 'x {"kind":"end"}', 'x {"kind":"eval","session":{}}']) {
      await one.redis.commands.publish(nodeChannelName('n2'), nodeMessage('mcp', 'n1', text));
    }
    first.send('n2', { kind: 'end', session });
    await expect.poll(() => heard).toEqual([{ kind: 'end', session }]);
    expect(before).toBe(0);
    expect(await second.kept('n2', session)).toEqual([]);
    expect(() => first.listen('n2', () => {})).toThrow('hears nothing that is sent to n2');
  });

  it('tells a change to the subscribers of its own node once, and at once', async () => {
    const [first, second] = [new RedisChangeBus(wiringOf(one)), new RedisChangeBus(wiringOf(two))];
    const heard: ServerChange[] = [];
    const there = new Promise((resolve) => second.subscribe('t/s', resolve));
    first.subscribe('t/s', (change) => heard.push(change));
    first.publish('t/s', { kind: 'list', list: 'tools' });
    expect(heard).toHaveLength(1);
    await there;
    // Whatever this node itself was sent arrives before this.
    await new Promise<void>((resolve) => {
      const stop = one.channel.on('marker', () => {
        stop();
        resolve();
      });
      one.channel.send('n1', 'marker', '');
    });
    expect(heard).toHaveLength(1);
    first.close();
    second.close();
  });

  it('says that changes may have been missed after a gap, and when they could not be said', async () => {
    const [first, second] = [new RedisChangeBus(wiringOf(one)), new RedisChangeBus(wiringOf(two))];
    let missed = 0;
    let others = 0;
    const stop = second.subscribe(
      't/s',
      () => {},
      () => missed++,
    );
    second.subscribe(
      't/other',
      () => {},
      () => others++,
    );
    await one.redis.commands.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await expect.poll(() => [missed, others]).toEqual([1, 1]);
    await one.channel.whenHearing();
    // Only what the first node says gets lost: the second has no gap of its own.
    const away = new RedisChangeBus({
      ...wiringOf(one),
      redis: { eval: () => Promise.reject(new Error('away')) } as never,
    });
    away.publish('t/s', { kind: 'list', list: 'tools' });
    // @ts-expect-error the way is free again
    away.options.redis = one.redis.commands;
    await expect.poll(() => [missed, others], { timeout: 5_000 }).toEqual([2, 1]);
    stop();
    for (const bus of [first, second, away]) bus.close();
  });

  it('tries no more to say what it could not say once it is closed', async () => {
    const clock = new FakeClock();
    const refuse: ((error: Error) => void)[] = [];
    const bus = new RedisChangeBus({
      ...wiringOf(one),
      clock,
      onFault: () => {},
      redis: { eval: () => new Promise((_, reject) => refuse.push(reject)) } as never,
    });
    const answered = async () => {
      refuse.pop()?.(new Error('away'));
      await new Promise((resolve) => setImmediate(resolve));
    };
    bus.publish('t/s', { kind: 'list', list: 'tools' });
    await answered();
    expect(clock.pending).toBe(1);
    clock.advance(1_000);
    bus.close();
    await answered();
    bus.publish('t/s', { kind: 'list', list: 'tools' });
    await answered();
    expect([clock.pending, refuse.length]).toEqual([0, 0]);
  });
});
