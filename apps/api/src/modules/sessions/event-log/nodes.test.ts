import { FakeClock } from '@gantry/mcp-core/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type RedisServer, startTemporaryRedis } from '../../../../../../scripts/lib/redis.mjs';
import { Heard, LogNode, numbered, WIDE } from '../../../../test/support/log-nodes.js';
import { sessionKeys, sessionTag, streamKeys } from '../session-keys.js';

let redis: RedisServer;
const nodes: LogNode[] = [];

beforeAll(async () => {
  redis = await startTemporaryRedis();
});
afterEach(() => {
  for (const node of nodes.splice(0)) node.stop();
});
afterAll(() => redis.stop());

async function node(options: Parameters<typeof LogNode.start>[1] = {}): Promise<LogNode> {
  const started = await LogNode.start([redis.url], options);
  nodes.push(started);
  return started;
}

/** How often each command was called; what scripts call counts too. */
async function calls(of: LogNode): Promise<Record<string, number>> {
  const text = await of.clients.commands.info('commandstats');
  const found = [...text.matchAll(/cmdstat_([a-z|-]+):calls=(\d+)/g)];
  return Object.fromEntries(found.map(([, name, count]) => [name, Number(count)]));
}

describe('the event log over nodes', () => {
  it('brings what one node says to the client of another, once and in order (SES-06)', async () => {
    const [a, b] = [await node(), await node()];
    const key = await a.session();
    a.log.open(key, 's', WIDE);
    await a.log.append(key, 's', '1');
    const heard = new Heard();
    await b.log.follow(key, 's', 0, heard);
    for (let at = 2; at <= 50; at++) await a.log.append(key, 's', String(at));
    await Promise.all(Array.from({ length: 150 }, (_, at) => a.log.append(key, 's', String(at + 51))));
    await a.log.end(key, 's');
    expect(await heard.until(201)).toEqual([...numbered(200), 'end']);
    expect(b.counts.read).toBe(0);
    expect([a.log.activeStreams, b.log.activeStreams, b.log.followers]).toEqual([0, 0, 0]);
  });

  it('keeps the order of a stream that every node writes to', async () => {
    const [a, b, c] = [await node(), await node(), await node()];
    const key = await a.session();
    a.log.open(key, 's', WIDE);
    const heard = new Heard();
    await b.log.follow(key, 's', 0, heard);
    const appends = [a, b, c].flatMap(({ log }) => Array.from({ length: 200 }, () => log.append(key, 's', 'x')));
    const sequences = (await Promise.all(appends)).map(Number);
    expect([...sequences].sort((one, other) => one - other)).toEqual(Array.from({ length: 600 }, (_, at) => at + 1));
    expect(await heard.until(600)).toEqual(Array.from({ length: 600 }, (_, at) => `${at + 1}:x`));
  });

  it('brings events that are too long for a bell', async () => {
    const [a, b] = [await node(), await node()];
    const key = await a.session();
    a.log.open(key, 's', WIDE);
    const heard = new Heard();
    await b.log.follow(key, 's', 0, heard);
    const [long, longer] = ['x'.repeat(8 * 1024 + 1), 'ü'.repeat(700_000)];
    await a.log.append(key, 's', long);
    await a.log.append(key, 's', 'short');
    await a.log.append(key, 's', longer, true);
    expect(await heard.until(4)).toEqual([`1:${long}`, '2:short', `3:${longer}`, 'end']);
  });

  it('lets the client go on at another node, and tells the one before', async () => {
    const [a, b] = [await node(), await node()];
    const key = await a.session();
    a.log.open(key, 's', WIDE);
    const [first, second, third] = [new Heard(), new Heard(), new Heard()];
    await a.log.follow(key, 's', 0, first);
    await a.log.append(key, 's', '1');
    await b.log.follow(key, 's', 1, second);
    expect(await first.until(2)).toEqual(['1:1', 'taken']);
    await a.log.append(key, 's', '2');
    expect(await second.until(1)).toEqual(['2:2']);
    await a.log.follow(key, 's', 1, third);
    await b.log.append(key, 's', '3');
    expect(await third.until(2)).toEqual(['2:2', '3:3']);
    expect(await second.until(2)).toEqual(['2:2', 'taken']);
    expect([a.log.followers, b.log.followers]).toEqual([1, 0]);
  });

  it('brings what is written after a stream was taken only where it is shown now', async () => {
    const [a, b] = [await node(), await node()];
    const key = await a.session();
    a.log.open(key, 's', WIDE);
    const [before, after] = [new Heard(), new Heard()];
    await a.log.follow(key, 's', 0, before);
    // The news comes late.
    a.loses = () => true;
    await b.log.follow(key, 's', 0, after);
    await a.log.append(key, 's', '1');
    expect([before.said, await after.until(1)]).toEqual([['taken'], ['1:1']]);
  });

  it('ends what other nodes show when a session is dropped, and leaves nothing of it', async () => {
    const [a, b] = [await node(), await node()];
    const key = await a.session();
    const heard = [new Heard(), new Heard()];
    for (const stream of ['s', 't', 'u']) a.log.open(key, stream, WIDE);
    await a.log.append(key, 't', '1', true);
    await b.log.follow(key, 's', 0, heard[0] as Heard);
    await a.log.follow(key, 'u', 0, heard[1] as Heard);
    await a.log.drop(key);
    expect(await heard[0]?.until(1)).toEqual(['end']);
    expect(await heard[1]?.until(1)).toEqual(['end']);
    const tag = sessionTag(key);
    const keys = ['s', 't', 'u'].flatMap((stream) => Object.values(streamKeys(tag, stream)));
    expect(await a.clients.commands.exists(sessionKeys(tag).streams, ...keys)).toBe(0);
    expect(await b.log.readAfter(key, 't', 0)).toBeUndefined();
  });

  it('drops more streams than one command does', async () => {
    const a = await node();
    const key = await a.session();
    for (let at = 0; at < 1_100; at++) a.log.open(key, `s${at}`, WIDE);
    await Promise.all(Array.from({ length: 1_100 }, (_, at) => a.log.last(key, `s${at}`)));
    await a.log.drop(key);
    expect(await a.clients.commands.exists(sessionKeys(sessionTag(key)).streams)).toBe(0);
    expect(await a.log.last(key, 's1099')).toBeUndefined();
  });

  it('writes nothing for a session that is gone', async () => {
    const a = await node();
    const key = await a.session();
    a.log.open(key, 's', WIDE);
    const heard = new Heard();
    await a.log.follow(key, 's', 0, heard);
    await a.endSession(key);
    expect(await a.log.append(key, 's', 'late')).toBeUndefined();
    expect(await heard.until(1)).toEqual(['end']);
    a.log.open(key, 't', WIDE);
    expect(await a.log.append(key, 't', 'late')).toBeUndefined();
    expect(await a.clients.commands.exists(streamKeys(sessionTag(key), 't').meta)).toBe(0);
  });

  it('lets everything of a session pass some day, and an ended stream after five minutes', async () => {
    const a = await node();
    const key = await a.session();
    a.log.open(key, 's', WIDE);
    await a.log.append(key, 's', '1');
    const tag = sessionTag(key);
    const { meta, events } = streamKeys(tag, 's');
    const all = [meta, events, sessionKeys(tag).streams];
    const left = () => Promise.all(all.map((one) => a.clients.commands.pttl(one)));
    for (const ms of await left()) expect(ms).toBeGreaterThan(23 * 3_600_000);
    await a.log.end(key, 's');
    for (const ms of (await left()).slice(0, 2)) {
      expect(ms).toBeGreaterThan(300_000);
      expect(ms).toBeLessThan(320_000);
    }
  });

  it('takes one script for each event of a call and no other command', async () => {
    const [a, b] = [await node(), await node()];
    const key = await a.session();
    // The first script of a kind is sent in full.
    a.log.open(key, 'warm', WIDE);
    await a.log.append(key, 'warm', '0', true);
    const before = await calls(a);
    const [scripts, followed] = [a.counts.script, new Heard()];
    a.log.open(key, 's', { ...WIDE, call: { node: a.id, requests: [1] } });
    const following = a.log.follow(key, 's', 0, followed);
    const first = a.log.append(key, 's', '1');
    await Promise.all([following, first]);
    for (let at = 2; at <= 99; at++) await a.log.append(key, 's', String(at));
    await a.log.append(key, 's', '100', true);
    expect(await followed.until(101)).toEqual([...numbered(100), 'end']);
    const after = await calls(a);
    const grown = Object.keys(after).filter((name) => (after[name] ?? 0) > (before[name] ?? 0));
    expect(a.counts.script - scripts).toBe(100);
    expect((after.evalsha ?? 0) - (before.evalsha ?? 0)).toBe(100);
    const inScripts = [
      'exists',
      'hmget',
      'llen',
      'rpush',
      'hset',
      'pttl',
      'pexpire',
      'zadd',
      'zremrangebyscore',
      'time',
    ];
    expect(grown.filter((name) => !['evalsha', 'info', ...inScripts].includes(name))).toEqual([]);
    expect(b.counts).toMatchObject({ read: 0, script: 0 });
  });

  it('asks nothing while it shows nothing, and once in ten seconds for what it shows', async () => {
    const clock = new FakeClock();
    const a = await node({ clock });
    const key = await a.session();
    const streams = Array.from({ length: 100 }, (_, at) => `s${at}`);
    for (const stream of streams) a.log.open(key, stream, WIDE);
    expect(clock.pending).toBe(0);
    const stops = await Promise.all(streams.map((stream) => a.log.follow(key, stream, 0, new Heard())));
    expect(clock.pending).toBe(1);
    const [before, scripts] = [await calls(a), a.counts.script];
    for (let second = 1; second <= 10; second++) {
      clock.advance(1_000);
      // A tenth of them, and none before those are looked at.
      await vi.waitUntil(async () => ((await calls(a)).hmget ?? 0) - (before.hmget ?? 0) === 10 * second);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const after = await calls(a);
    const looks = (after.evalsha ?? 0) - (before.evalsha ?? 0) + ((after.eval ?? 0) - (before.eval ?? 0));
    expect(looks).toBeGreaterThanOrEqual(10);
    expect(looks).toBeLessThanOrEqual(20);
    expect((after.hmget ?? 0) - (before.hmget ?? 0)).toBe(100);
    expect(a.counts.script).toBe(scripts);
    for (const stop of stops) stop?.();
    expect([clock.pending, a.log.activeStreams]).toEqual([0, 0]);
  });
});
