import type { MaybePromise } from '@gantry/mcp-core';
import { FakeClock } from '@gantry/mcp-core/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { startTemporaryRedis, startTemporaryRedisCluster } from '../../../../../scripts/lib/redis.mjs';
import { LimitNode, useLimitNodes } from '../../../test/support/limit-node.js';
import type { CallLimits, CallLimitValues } from './call-limits.js';
import { InMemoryCallLimits } from './in-memory-call-limits.js';
import type { Refusal } from './limits.js';

const rate = (callsPerMinute: number, concurrentCalls?: number) => ({ callsPerMinute, concurrentCalls });
const atOnce = (concurrentCalls: number) => ({ callsPerMinute: undefined, concurrentCalls });
const unlimited = { callsPerMinute: undefined, concurrentCalls: undefined };

const { open } = useLimitNodes();

/** Limits as two nodes see them. */
interface Subject {
  readonly one: CallLimits;
  readonly two: CallLimits;
  /** Time passes, for the limits. */
  elapse(ms: number): Promise<void>;
  /** Resolves when what was given back is known everywhere. */
  settled(): Promise<void>;
}

const subjects: [string, () => Promise<Subject>][] = [
  [
    'in memory',
    async () => {
      const clock = new FakeClock();
      const limits = new InMemoryCallLimits(() => clock.now());
      return { one: limits, two: limits, elapse: async (ms) => clock.advance(ms), settled: async () => {} };
    },
  ],
  [
    'in Redis',
    async () => {
      const [one, two] = [await open('one'), await open('two')];
      return {
        one: one.calls,
        two: two.calls,
        elapse: async (ms) => {
          for (const node of [one, two]) node.pass(ms);
          await one.age(ms);
        },
        settled: async () => {
          for (const node of [one, two]) await node.answered();
        },
      };
    },
  ],
];

async function outcomes(attempts: MaybePromise<Refusal | undefined>[]): Promise<number> {
  const refusals = await Promise.all(attempts);
  return refusals.filter((refusal) => refusal === undefined).length;
}

describe.each(subjects)('call limits %s', (_where, make) => {
  let subject: Subject;
  let one: CallLimits;
  let two: CallLimits;
  beforeEach(async () => {
    subject = await make();
    ({ one, two } = subject);
  });
  const either = (index: number) => (index % 2 === 0 ? one : two);

  it('refuses the call after the last of the minute, on any node, and says when to come back', async () => {
    for (let i = 0; i < 5; i += 1) expect(await either(i).enter('a', rate(5))).toBeUndefined();
    await subject.elapse(20_000);
    for (const node of [one, two, one]) {
      const refusal = await node.enter('a', rate(5));
      expect(refusal).toMatchObject({ limit: 'callsPerMinute', max: 5 });
      expect(refusal?.retryAfterSeconds).toBeOneOf([39, 40]);
    }
    await subject.elapse(40_000);
    expect(await two.enter('a', rate(5))).toBeUndefined();
    expect(await one.enter('a', rate(5))).toBeUndefined();
  });

  it('lets a raised limit count at once', async () => {
    expect(await one.enter('a', rate(1))).toBeUndefined();
    expect(await one.enter('a', rate(1))).toBeDefined();
    expect(await one.enter('a', rate(2))).toBeUndefined();
    expect(await two.enter('a', rate(2))).toBeDefined();
  });

  it('keeps the tenants apart', async () => {
    expect(await one.enter('a', rate(1, 1))).toBeUndefined();
    expect(await two.enter('b', rate(1, 1))).toBeUndefined();
    expect(await two.enter('a', rate(1, 1))).toBeDefined();
  });

  it('gives a place back when a call ends, and a refused call takes none', async () => {
    expect(await one.enter('a', atOnce(2))).toBeUndefined();
    expect(await two.enter('a', atOnce(2))).toBeUndefined();
    expect(await one.enter('a', atOnce(2))).toEqual({ limit: 'concurrentCalls', max: 2, retryAfterSeconds: 1 });
    two.leave('a');
    await subject.settled();
    expect(await one.enter('a', atOnce(2))).toBeUndefined();
    expect((await two.enter('a', atOnce(2)))?.limit).toBe('concurrentCalls');
  });

  it('takes no call of the minute for one that finds no place, and no place for one over the rate', async () => {
    const both = rate(2, 1);
    expect(await one.enter('a', both)).toBeUndefined();
    for (let i = 0; i < 5; i += 1) expect((await two.enter('a', both))?.limit).toBe('concurrentCalls');
    one.leave('a');
    await subject.settled();
    expect(await two.enter('a', both)).toBeUndefined();
    two.leave('a');
    await subject.settled();
    for (let i = 0; i < 5; i += 1) expect((await two.enter('a', both))?.limit).toBe('callsPerMinute');
    expect(await one.enter('a', atOnce(1))).toBeUndefined();
  });

  it('counts calls that began before the limit was set', async () => {
    expect(await one.enter('a', unlimited)).toBeUndefined();
    expect((await one.enter('a', atOnce(1)))?.limit).toBe('concurrentCalls');
    one.leave('a');
    await subject.settled();
    expect(await one.enter('a', atOnce(1))).toBeUndefined();
    expect((await two.enter('a', atOnce(1)))?.limit).toBe('concurrentCalls');
  });

  it('counts calls that began while the limit was lifted, and none of them twice', async () => {
    expect(await one.enter('a', atOnce(2))).toBeUndefined();
    expect(await one.enter('a', unlimited)).toBeUndefined();
    one.leave('a');
    await subject.settled();
    expect(await one.enter('a', atOnce(2))).toBeUndefined();
    expect((await one.enter('a', atOnce(2)))?.limit).toBe('concurrentCalls');
    for (let i = 0; i < 2; i += 1) one.leave('a');
    await subject.settled();
    for (let i = 0; i < 2; i += 1) expect(await two.enter('a', atOnce(2))).toBeUndefined();
    expect((await two.enter('a', atOnce(2)))?.limit).toBe('concurrentCalls');
  });

  it('lets exactly as many through as there may be, however many come at once (TEN-02)', async () => {
    const attempts = (tenant: string, limits: CallLimitValues) =>
      Array.from({ length: 200 }, (_, index) => either(index).enter(tenant, limits));
    expect(await outcomes(attempts('a', rate(60)))).toBe(60);
    expect(await outcomes(attempts('a', rate(60)))).toBe(0);
    expect(await outcomes(attempts('b', atOnce(60)))).toBe(60);
    expect(await outcomes(attempts('b', atOnce(60)))).toBe(0);
    expect(await outcomes(attempts('c', rate(100, 60)))).toBe(60);
  });

  it('has as many places as calls have left, whichever node they were on', async () => {
    const attempts = (count: number) =>
      Array.from({ length: count }, (_, index) => either(index).enter('a', atOnce(60)));
    let running = [0, 0];
    const enter = async (count: number) => {
      const got = await Promise.all(attempts(count));
      running = running.map((sum, node) => sum + got.filter((no, i) => no === undefined && i % 2 === node).length);
    };
    for (let round = 0; round < 5; round += 1) {
      await enter(100);
      expect(running[0]! + running[1]!).toBe(60);
      for (let node = 0; node < 2; node += 1) {
        const leaving = Math.min(running[node]!, 7 + round);
        for (let i = 0; i < leaving; i += 1) either(node).leave('a');
        running[node]! -= leaving;
      }
      await subject.settled();
    }
  });

  it('lets a large rate come out at most two percent short, and never over', async () => {
    for (let minute = 0; minute < 2; minute += 1) {
      let admitted = 0;
      for (let i = 0; i < 110; i += 1) {
        // One node has nine times the load of the other.
        const batch = Array.from({ length: 50 }, (_, at) => (at % 10 === 0 ? two : one).enter('a', rate(5_000)));
        admitted += await outcomes(batch);
      }
      expect(admitted).toBeGreaterThanOrEqual(4_900);
      expect(admitted).toBeLessThanOrEqual(5_000);
      expect(await one.enter('a', rate(5_000))).toMatchObject({ limit: 'callsPerMinute', max: 5_000 });
      await subject.elapse(60_000);
    }
  });

  it('holds a large rate and a cap at once, and a call without a place leaves the rate alone', async () => {
    const both = rate(1_000, 1);
    expect(await one.enter('a', both)).toBeUndefined();
    for (let i = 0; i < 1_100; i += 1) expect((await two.enter('a', both))?.limit).toBe('concurrentCalls');
    one.leave('a');
    await subject.settled();
    expect(await two.enter('a', both)).toBeUndefined();
  });
});

describe('call limits in Redis', () => {
  it('send nothing for a tenant without limits, and one command before and after a call under both', async () => {
    const one = await open('one');
    expect(one.calls.enter('a', unlimited)).toBeUndefined();
    one.calls.leave('a');
    expect(await one.commands()).toEqual({});
    await one.calls.enter('a', rate(60, 5));
    one.calls.leave('a');
    await one.answered();
    await one.forgetCommands();
    for (let i = 0; i < 10; i += 1) {
      expect(await one.calls.enter('a', rate(60, 5))).toBeUndefined();
      one.calls.leave('a');
    }
    await one.answered();
    expect(await one.commands()).toEqual({ evalsha: 20 });
  });

  it('send one command for each part of a large rate, ahead of need, and none once the minute is used up', async () => {
    const one = await open('one');
    const limits = rate(10_000);
    expect(await one.calls.enter('a', limits)).toBeUndefined();
    await one.forgetCommands();
    let waited = 0;
    for (let i = 0; i < 1_000; i += 1) {
      const refusal = one.calls.enter('a', limits);
      if (refusal instanceof Promise) waited += 1;
      expect(await refusal).toBeUndefined();
      if (i % 10 === 0) await one.answered();
    }
    expect(waited).toBe(0);
    const { evalsha = 0 } = await one.commands();
    expect(evalsha).toBeGreaterThan(20);
    expect(evalsha).toBeLessThan(60);
    while ((await one.calls.enter('a', limits)) === undefined);
    await one.forgetCommands();
    for (let i = 0; i < 100; i += 1) expect(one.calls.enter('a', limits)).toMatchObject({ limit: 'callsPerMinute' });
    expect(await one.commands()).toEqual({});
  });

  it("frees a dead node's places as soon as it is known to be gone", async () => {
    const gone = new Set<string>();
    const [one, two] = [await open('one', gone), await open('two')];
    expect(await two.calls.enter('a', atOnce(2))).toBeUndefined();
    expect(await two.calls.enter('a', atOnce(2))).toBeUndefined();
    two.close();
    expect(await one.calls.enter('a', atOnce(2))).toBeDefined();
    gone.add('two');
    expect(await one.calls.enter('a', atOnce(2))).toBeUndefined();
    expect(await one.calls.enter('a', atOnce(2))).toBeUndefined();
    expect(await one.calls.enter('a', atOnce(2))).toBeDefined();
  });

  it('count right what began without a limit, whatever comes and goes while that is told', async () => {
    const [one, two] = [await open('one'), await open('two')];
    for (let round = 0; round < 20; round += 1) {
      const tenant = `t${round}`;
      for (let i = 0; i < 10; i += 1) expect(one.calls.enter(tenant, unlimited)).toBeUndefined();
      const entering = Array.from({ length: 10 }, () => one.calls.enter(tenant, atOnce(15)));
      for (let i = 0; i < 3; i += 1) one.calls.leave(tenant);
      if (round % 2 === 0) await Promise.resolve();
      for (let i = 0; i < 3; i += 1) one.calls.leave(tenant);
      const admitted = await outcomes(entering);
      await one.answered();
      expect(await two.heldIn(tenant)).toEqual({ one: String(4 + admitted) });
      if (round % 3 === 0) one.places.doubtAll();
      const [more] = [one.calls.enter(tenant, atOnce(100))];
      one.clock.advance(1_000);
      for (let i = 0; i < 2; i += 1) one.calls.leave(tenant);
      expect(await more).toBeUndefined();
      await one.answered();
      expect(await two.heldIn(tenant)).toEqual({ one: String(3 + admitted) });
      for (let i = 0; i < 3 + admitted; i += 1) one.calls.leave(tenant);
      await one.answered();
      expect(await two.heldIn(tenant)).toEqual({});
    }
  });

  it('tells its places anew when others may have forgotten them', async () => {
    const gone = new Set(['one']);
    const [one, two] = [await open('one'), await open('two', gone)];
    for (let i = 0; i < 3; i += 1) expect(await one.calls.enter('a', atOnce(3))).toBeUndefined();
    expect(await two.calls.enter('a', atOnce(3))).toBeUndefined();
    gone.clear();
    one.places.doubtAll();
    one.clock.advance(1_000);
    await one.answered();
    expect(await two.heldIn('a')).toEqual({ one: '3', two: '1' });
    expect(await two.calls.enter('a', atOnce(4))).toBeDefined();
  });
});

describe('call limits in a Redis that has forgotten', () => {
  it('let nobody past a limit before their places are told anew', async () => {
    const one = await open('one');
    for (let i = 0; i < 3; i += 1) expect(await one.calls.enter('a', atOnce(3))).toBeUndefined();
    await one.redis.commands.flushall();
    one.places.doubtAll();
    expect(await outcomes(Array.from({ length: 5 }, () => one.calls.enter('a', atOnce(4))))).toBe(1);
    expect(await one.heldIn('a')).toEqual({ one: '4' });
  });

  it('count nothing any more of calls whose limit was lifted', async () => {
    const [one, two] = [await open('one'), await open('two')];
    for (let i = 0; i < 3; i += 1) expect(await one.calls.enter('a', atOnce(3))).toBeUndefined();
    await one.calls.enter('a', unlimited);
    await one.answered();
    expect(await two.heldIn('a')).toEqual({});
    await one.forgetCommands();
    for (let i = 0; i < 4; i += 1) one.calls.leave('a');
    for (let i = 0; i < 4; i += 1) expect(one.calls.enter('a', unlimited)).toBeUndefined();
    expect(await one.commands()).toEqual({});
  });
});

describe('call limits in a Redis Cluster', () => {
  it('are as exact, whichever master a tenant lies on', async () => {
    const cluster = await startTemporaryRedisCluster();
    const both = [await LimitNode.open(cluster.urls, 'one'), await LimitNode.open(cluster.urls, 'two')] as const;
    const either = (at: number) => both[at % 2 === 0 ? 0 : 1].calls;
    try {
      for (const tenant of ['a', 'b', 'c', 'd', 'e']) {
        const attempts = () => Array.from({ length: 40 }, (_, at) => either(at).enter(tenant, rate(30, 10)));
        expect(await outcomes(attempts())).toBe(10);
        const admitted = await Promise.all(attempts());
        expect(admitted.every((refusal) => refusal?.limit === 'concurrentCalls')).toBe(true);
      }
    } finally {
      for (const node of both) node.close();
      await cluster.stop();
    }
  });
});

describe('call limits while Redis is away', () => {
  it('let nobody past a limit, let everybody else go on, and lose no place for good', async () => {
    const own = await startTemporaryRedis({ appendOnly: true });
    const [one, two] = [await LimitNode.open(own.url, 'one'), await LimitNode.open(own.url, 'two')];
    try {
      for (let i = 0; i < 3; i += 1) expect(await one.calls.enter('a', atOnce(3))).toBeUndefined();
      expect(await one.calls.enter('large', rate(100_000))).toBeUndefined();
      await own.kill();
      await expect(one.calls.enter('a', atOnce(3))).rejects.toThrow();
      await expect(one.calls.enter('b', rate(5))).rejects.toThrow();
      expect(one.calls.enter('c', unlimited)).toBeUndefined();
      expect(one.calls.enter('large', rate(100_000))).toBeUndefined();
      one.calls.leave('a');
      one.calls.leave('a');
      expect(one.faults).toHaveLength(1);
      await own.start();
      for (const node of [one, two]) await node.up();
      one.clock.advance(1_000);
      await one.answered();
      expect(await two.heldIn('a')).toEqual({ one: '1' });
      expect(await two.calls.enter('a', atOnce(3))).toBeUndefined();
      expect(await two.calls.enter('a', atOnce(3))).toBeUndefined();
      expect(await two.calls.enter('a', atOnce(3))).toBeDefined();
    } finally {
      for (const node of [one, two]) node.close();
      await own.stop();
    }
  });
});
