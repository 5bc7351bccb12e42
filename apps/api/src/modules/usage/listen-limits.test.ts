import { beforeEach, describe, expect, it } from 'vitest';
import { useLimitNodes } from '../../../test/support/limit-node.js';
import { InMemoryListenLimits } from './in-memory-listen-limits.js';
import type { ListenLimits } from './listen-limits.js';

const { open } = useLimitNodes();

interface Subject {
  readonly one: ListenLimits;
  readonly two: ListenLimits;
  settled(): Promise<void>;
}

const subjects: [string, () => Promise<Subject>][] = [
  [
    'in memory',
    async () => {
      const limits = new InMemoryListenLimits();
      return { one: limits, two: limits, settled: async () => {} };
    },
  ],
  [
    'in Redis',
    async () => {
      const [one, two] = [await open('one'), await open('two')];
      const settled = async () => {
        for (const node of [one, two]) await node.answered();
      };
      return { one: one.listens, two: two.listens, settled };
    },
  ],
];

async function granted(limits: ListenLimits, owner: string, max: number, tenant = 'a'): Promise<() => void> {
  const taken = await limits.take(tenant, owner, max);
  if (typeof taken !== 'function') throw new Error(`refused: ${JSON.stringify(taken)}`);
  return taken;
}

describe.each(subjects)('listen limits %s', (_where, make) => {
  let subject: Subject;
  beforeEach(async () => {
    subject = await make();
  });

  it('refuse the stream over the cap on any node, and free a closed one once however often it is given back (MEM-04)', async () => {
    const { one, two, settled } = subject;
    await granted(one, 'key-1', 4);
    await granted(one, 'key-1', 4);
    const third = await granted(two, 'key-1', 4);
    await granted(two, 'key-1', 4);
    const full = { limit: 'listens', max: 4, retryAfterSeconds: 5 };
    expect([await one.take('a', 'key-1', 4), await two.take('a', 'key-1', 4)]).toEqual([full, full]);
    third();
    third();
    await settled();
    await granted(one, 'key-1', 4);
    expect(await two.take('a', 'key-1', 4)).toEqual(full);
  });

  it('are for each caller of each tenant', async () => {
    const { one, two } = subject;
    await granted(one, 'anonymous', 1);
    await granted(two, 'key-2', 1);
    await granted(two, 'anonymous', 1, 'b');
    expect(await two.take('a', 'anonymous', 1)).toMatchObject({ limit: 'listens' });
  });

  it('let in exactly as many as there may be, however many come at once', async () => {
    const { one, two } = subject;
    const taken = await Promise.all(
      Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? one : two).take('a', 'key-1', 60)),
    );
    expect(taken.filter((grant) => typeof grant === 'function')).toHaveLength(60);
  });
});

describe('listen limits in Redis', () => {
  it("free a dead node's streams as soon as it is known to be gone", async () => {
    const gone = new Set<string>();
    const [one, two] = [await open('one', gone), await open('two')];
    await granted(two.listens, 'key-1', 1);
    two.close();
    expect(await one.listens.take('a', 'key-1', 1)).toMatchObject({ limit: 'listens' });
    gone.add('two');
    await granted(one.listens, 'key-1', 1);
  });

  it('keep what is counted for as long as it is held', async () => {
    const one = await open('one');
    const end = await granted(one.listens, 'key-1', 1);
    const { commands } = one.redis;
    const name = 'gantry:{a}:listens:key-1';
    await commands.pexpire(name, 60_000);
    one.clock.advance(6 * 3_600_000);
    one.clock.advance(1_000);
    await one.answered();
    expect(await commands.pttl(name)).toBeGreaterThan(12 * 3_600_000);
    end();
    await one.answered();
    expect(await commands.exists(name)).toBe(0);
  });
});
