import { FakeClock } from '@gantry/mcp-core/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type RedisServer, startTemporaryRedis } from '../../../../../../scripts/lib/redis.mjs';
import { CuttingProxy } from '../../../../test/support/cutting-proxy.js';
import { Heard, LogNode, numbered, WIDE } from '../../../../test/support/log-nodes.js';
import { sessionTag } from '../session-keys.js';
import { LogRedis } from './log-redis.js';
import { OPEN } from './log-scripts.js';
import { LogFullError } from './operation-queue.js';
import { LogAwayError } from './retry.js';
import { streamId } from './stream-id.js';

let redis: RedisServer;
const nodes: LogNode[] = [];

beforeAll(async () => {
  redis = await startTemporaryRedis({ appendOnly: true });
});
afterEach(() => {
  for (const node of nodes.splice(0)) node.stop();
});
afterAll(() => redis.stop());

async function node(options: Parameters<typeof LogNode.start>[1] = {}, url = redis.url): Promise<LogNode> {
  const started = await LogNode.start([url], options);
  nodes.push(started);
  return started;
}

/** Two nodes: what one says is shown by the other. */
async function pair(options: Parameters<typeof LogNode.start>[1] = {}) {
  const [a, b] = [await node(options), await node(options)];
  const key = await a.session();
  a.log.open(key, 's', WIDE);
  const heard = new Heard();
  await b.log.follow(key, 's', 0, heard);
  return { a, b, key, heard };
}

const isEvent = (bell: string) => bell.split('\x1e')[2]?.startsWith('e') === true;

describe('the event log when things break', () => {
  it('loses and doubles nothing when the connection that hears is cut again and again (JOB-04)', async () => {
    const { a, key, heard } = await pair();
    for (let round = 0; round < 5; round++) {
      for (let at = 1; at <= 40; at++) {
        await a.log.append(key, 's', String(round * 40 + at));
        if (at === 20) await a.clients.commands.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
      }
    }
    await a.log.end(key, 's');
    expect(await heard.until(201)).toEqual([...numbered(200), 'end']);
  });

  it('makes a lost bell good with the next one', async () => {
    const { a, b, key, heard } = await pair();
    let bells = 0;
    b.loses = (bell) => isEvent(bell) && ++bells % 3 === 1;
    for (let at = 1; at <= 30; at++) await a.log.append(key, 's', String(at));
    await b.log.last(key, 's');
    b.loses = () => false;
    await a.log.append(key, 's', '31');
    expect(await heard.until(31)).toEqual(numbered(31));
    expect(b.counts.read).toBeGreaterThan(0);
  });

  it('reads what was said while the connection that hears was cut as soon as it stands again', async () => {
    const { a, key, heard } = await pair({ clock: new FakeClock() });
    await a.log.append(key, 's', '1');
    await heard.until(1);
    await a.clients.commands.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await a.log.append(key, 's', '2', true);
    expect(await heard.until(3)).toEqual(['1:1', '2:2', 'end']);
  });

  it('is not misled by bells that come late or twice', async () => {
    const { a, b, key, heard } = await pair();
    const bells: string[] = [];
    b.loses = (bell) => bells.push(bell) > 0;
    await a.log.follow(key, 's', 0, new Heard());
    await vi.waitUntil(() => bells.length === 1);
    const again = new Heard();
    await b.log.follow(key, 's', 0, again);
    await a.log.append(key, 's', '1');
    await a.log.append(key, 's', '2');
    await vi.waitUntil(() => bells.length === 3);
    b.loses = () => false;
    for (const bell of [...bells, ...bells, 'nonsense', `${bells[0]?.slice(0, -2)}?`]) b.deliver(bell);
    await a.log.append(key, 's', '3');
    expect(await again.until(3)).toEqual(numbered(3));
    expect(heard.said).toEqual(['taken']);
  });

  it.each(['event', 'end'] as const)('makes the lost last bell good, of an %s, within ten seconds', async (last) => {
    const clock = new FakeClock();
    const { a, b, key, heard } = await pair({ clock });
    await a.log.append(key, 's', '1');
    await heard.until(1);
    const lost = new Promise<void>((resolve) => {
      b.loses = (bell) => {
        if (isEvent(bell)) resolve();
        return isEvent(bell);
      };
    });
    if (last === 'event') await a.log.append(key, 's', '2');
    else await a.log.end(key, 's');
    await lost;
    expect(heard.said).toEqual(['1:1']);
    clock.advance(10_000);
    expect(await heard.until(2)).toEqual(['1:1', last === 'event' ? '2:2' : 'end']);
    expect(b.counts.rescued).toBe(last === 'event' ? 1 : 0);
  });

  it('looks again a second after a look that Redis did not answer', async () => {
    const clock = new FakeClock();
    const { a, b, key, heard } = await pair({ clock });
    b.loses = () => true;
    await a.log.append(key, 's', '1', true);
    await redis.kill();
    await vi.waitUntil(() => !b.clients.up());
    clock.advance(10_000);
    await redis.start();
    await vi.waitUntil(() => b.clients.up());
    expect(heard.said).toEqual([]);
    clock.advance(1_000);
    expect(await heard.until(2)).toEqual(['1:1', 'end']);
  });

  it('shows what a write has done whose outcome nobody could tell in time', async () => {
    const proxy = await CuttingProxy.start(redis.port);
    try {
      const a = await node({ deadlineMs: 300 }, `redis://127.0.0.1:${proxy.port}`);
      const key = await a.session();
      a.log.open(key, 's', WIDE);
      const heard = new Heard();
      await a.log.follow(key, 's', 0, heard);
      proxy.loseAnswerTo('done', true);
      await expect(a.log.append(key, 's', 'done')).rejects.toThrow(LogAwayError);
      proxy.reopen();
      // Sooner than the look that comes anyway.
      expect(await heard.until(1, 6_000)).toEqual(['1:done']);
    } finally {
      await proxy.stop();
    }
  });

  it('takes no notice of an attempt that arrives after later writes', async () => {
    const a = await node();
    const key = await a.session();
    const log = new LogRedis(a.clients.commands, 'late');
    const id = streamId(sessionTag(key), 's');
    await log.write(id, 1, ['o', '10', '1000', '', '']);
    await log.write(id, 2, ['a', 'first']);
    await log.write(id, 3, ['a', 'second']);
    expect(await log.write(id, 2, ['a', 'first'])).toMatchObject({ state: 0 });
    expect(await log.write(id, 3, ['a', 'second'])).toMatchObject({ state: OPEN, last: 1 });
    expect(await a.log.last(key, 's')).toBe(2);
  });

  it('tells a follower within ten seconds that its stream was taken, or its session has passed', async () => {
    const clock = new FakeClock();
    const { a, b, key, heard } = await pair({ clock });
    const other = await a.session();
    a.log.open(other, 's', WIDE);
    const dying = new Heard();
    await b.log.follow(other, 's', 0, dying);
    b.loses = () => true;
    await a.log.follow(key, 's', 0, new Heard());
    await a.endSession(other);
    clock.advance(10_000);
    expect(await heard.until(1)).toEqual(['taken']);
    expect(await dying.until(1)).toEqual(['end']);
    expect(b.log.followers).toBe(0);
  });

  it('goes on where it was when Redis is killed and comes back with what it had on disk', async () => {
    const { a, key, heard } = await pair();
    const own = new Heard();
    a.log.open(key, 'own', WIDE);
    await a.log.follow(key, 'own', 0, own);
    const appended: Array<Promise<number | undefined>> = [];
    for (let at = 1; at <= 300; at++) {
      const [one, two] = [a.log.append(key, 's', String(at)), a.log.append(key, 'own', String(at))];
      appended.push(one, two);
      if (at % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
      if (at === 100) void redis.kill().then(() => redis.start());
    }
    const sequences = await Promise.all(appended);
    expect(sequences.filter((_, at) => at % 2 === 0)).toEqual(Array.from({ length: 300 }, (_, at) => at + 1));
    expect(await heard.until(300)).toEqual(numbered(300));
    expect(await own.until(300)).toEqual(numbered(300));
    expect(a.counts.retried).toBeGreaterThan(0);
  });

  it('goes on when Redis has stood still for longer than a command may take', async () => {
    const { a, key, heard } = await pair();
    await a.log.append(key, 's', '1');
    redis.pause();
    const appended = Array.from({ length: 50 }, (_, at) => a.log.append(key, 's', String(at + 2)));
    await vi.waitUntil(() => a.counts.retried > 0, { timeout: 10_000 });
    redis.resume();
    expect(await Promise.all(appended)).toEqual(Array.from({ length: 50 }, (_, at) => at + 2));
    expect(await heard.until(51)).toEqual(numbered(51));
  });

  it('appends once when the answer to a write is lost (SES-06)', async () => {
    const proxy = await CuttingProxy.start(redis.port);
    try {
      const b = await node();
      const a = await node({}, `redis://127.0.0.1:${proxy.port}`);
      const key = await a.session();
      const heard = new Heard();
      for (let at = 1; at <= 5; at++) {
        proxy.loseAnswerTo(`cut ${at}`);
        if (at === 1) a.log.open(key, 's', WIDE);
        const appended = [`cut ${at}`, 'x'].map((data) => a.log.append(key, 's', data));
        expect(await Promise.all(appended)).toEqual([at * 2 - 1, at * 2]);
        if (at === 1) await b.log.follow(key, 's', 0, heard);
        await vi.waitUntil(() => a.clients.up());
      }
      proxy.loseAnswerTo('last');
      expect(await a.log.append(key, 's', 'last', true)).toBe(11);
      const expected = [1, 2, 3, 4, 5].flatMap((at) => [`${at * 2 - 1}:cut ${at}`, `${at * 2}:x`]);
      expect(await heard.until(12)).toEqual([...expected, '11:last', 'end']);
      expect([proxy.cuts, a.counts.retried >= 6]).toEqual([6, true]);
    } finally {
      await proxy.stop();
    }
  });

  it('shows a stream once when the answer to its follower is lost, and leaves it to whoever took it meanwhile', async () => {
    const proxy = await CuttingProxy.start(redis.port);
    try {
      const b = await node();
      const a = await node({}, `redis://127.0.0.1:${proxy.port}`);
      const key = await a.session();
      const [kept, lost, taker] = [new Heard(), new Heard(), new Heard()];
      proxy.loseAnswerTo('kept');
      a.log.open(key, 's', WIDE);
      const following = a.log.follow(key, 's', 0, kept);
      void a.log.append(key, 's', 'kept');
      await following;
      await b.log.append(key, 's', 'more');
      expect(await kept.until(2)).toEqual(['1:kept', '2:more']);

      await vi.waitUntil(() => a.clients.up());
      proxy.loseAnswerTo('other', true);
      a.log.open(key, 'other', WIDE);
      const losing = a.log.follow(key, 'other', 0, lost);
      const appended = a.log.append(key, 'other', '1');
      // The other node is quicker than the one whose connection comes back.
      await vi.waitUntil(() => proxy.cuts === 2);
      await b.log.follow(key, 'other', 0, taker);
      proxy.reopen();
      await losing;
      expect(await appended).toBe(1);
      expect(await taker.until(1)).toEqual(['1:1']);
      expect(await lost.until(1)).toEqual(['taken']);
      await a.log.append(key, 'other', '2');
      expect(await taker.until(2)).toEqual(['1:1', '2:2']);
    } finally {
      await proxy.stop();
    }
  });
});

describe('the event log without Redis', () => {
  it('says so in the end, and to those who only read at once', async () => {
    const a = await node({ deadlineMs: 300 });
    const key = await a.session();
    a.log.open(key, 's', WIDE);
    await a.log.append(key, 's', '1');
    await redis.kill();
    try {
      await expect(a.log.readAfter(key, 's', 0)).rejects.not.toThrow(LogAwayError);
      await expect(a.log.append(key, 's', '2')).rejects.toThrow(LogAwayError);
      await expect(a.log.follow(key, 's', 0, new Heard())).rejects.toThrow(LogAwayError);
      await expect(a.log.drop(key)).rejects.toThrow(LogAwayError);
      a.log.open(key, 't', WIDE);
      await vi.waitUntil(() => a.faults.length === 1);
      expect(a.log.activeStreams).toBe(0);
    } finally {
      await redis.start();
    }
  });

  it('lets no more than four megabytes wait for one stream', async () => {
    const a = await node();
    const key = await a.session();
    a.log.open(key, 's', WIDE);
    await a.log.append(key, 's', 'small');
    redis.pause();
    const megabyte = 'x'.repeat(1024 * 1024);
    const waiting = [1, 2, 3].map(() => a.log.append(key, 's', megabyte));
    await expect(a.log.append(key, 's', megabyte)).rejects.toThrow(LogFullError);
    redis.resume();
    expect(await Promise.all(waiting)).toEqual([2, 3, 4]);
    // One that is larger goes when nothing waits.
    expect(await a.log.append(key, 's', 'x'.repeat(5 * 1024 * 1024))).toBe(5);
  });
});
