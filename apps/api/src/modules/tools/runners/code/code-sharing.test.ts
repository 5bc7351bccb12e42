import { describe, expect, it } from 'vitest';
import { gate, recordedContext, textOf, useCodeRunner } from '../../../../../test/support/code-runner.js';
import type { CodeRun } from './index.js';

type Runner = ReturnType<typeof useCodeRunner>;

/** A call that has begun and waits for a host call until it is let go. */
async function waiting(code: Runner, tenantId: string, more: Partial<CodeRun> = {}) {
  const [begun, release] = [gate(), gate()];
  const fetch = async () => {
    begun.open();
    await release.opened;
    return { status: 200, headers: [], body: new Uint8Array() };
  };
  const outcome = code.run('await ctx.fetch("http://gate.test"); return "released"', { tenantId, fetch, ...more });
  // Whoever looks at the outcome is told; until then a rejection is no fault of the test.
  outcome.catch(() => {});
  await begun.opened;
  return { outcome, release: release.open };
}

/** A call whose code has sent messages, so many that they are passed on at once, and computes on without a pause. */
async function computing(code: Runner, body: string, more: Partial<CodeRun> = {}) {
  const begun = gate();
  const context = recordedContext({ progress: begun.open });
  const source = `for (let sent = 1; sent <= 40; sent++) ctx.progress(sent); ${body}`;
  const outcome = code.run(source, { context, ...more });
  await begun.opened;
  return { outcome };
}

const spin = 'for (;;);';
const stuck = 'const a = new Uint8Array(3e7); for (;;) a.sort()';

describe('many calls that wait', () => {
  const code = useCodeRunner({ threads: 2, guestsPerThread: 40 });

  it('are served together, while another tenant is answered at once', async () => {
    const begun = performance.now();
    const sleepers = Array.from({ length: 40 }, (_, i) =>
      code.run('await ctx.sleep(300); return "rested " + args.i', { arguments: { i } }),
    );
    let slept = false;
    const all = Promise.all(sleepers).finally(() => {
      slept = true;
    });
    expect(textOf(await code.run('return "pong"', { tenantId: 'beta' }))).toBe('pong');
    expect(slept).toBe(false);
    expect((await all).map(textOf)).toEqual(Array.from({ length: 40 }, (_, i) => `rested ${i}`));
    expect(performance.now() - begun).toBeLessThan((40 * 300) / 4);
    expect(code.runner.stats()).toMatchObject({ running: 0, guests: 0, queued: 0, places: 80 });
  });

  it('never mix state, progress, host calls or globals', async () => {
    const contexts = Array.from({ length: 30 }, (_, i) => recordedContext({ state: { start: i } }));
    const source = `globalThis.mine = args.i;
      for (let step = 0; step < 5; step++) {
        ctx.progress(args.i * 100 + step);
        await ctx.sleep(step % 2);
        const { got } = await (await ctx.fetch("http://" + args.i + ".test")).json();
        if (got !== args.i || globalThis.mine !== args.i) throw new Error("mixed up");
        ctx.state["s" + step] = args.i;
      }
      return { i: args.i, start: ctx.state.start }`;
    const outcomes = await Promise.all(
      contexts.map((context, i) =>
        code.run(source, {
          context,
          tenantId: `tenant-${i % 3}`,
          arguments: { i },
          fetch: async ({ url }) => ({
            status: 200,
            headers: [],
            body: Buffer.from(JSON.stringify({ got: url === `http://${i}.test` ? i : url })),
          }),
        }),
      ),
    );
    for (const [i, context] of contexts.entries()) {
      expect(outcomes[i]?.structuredContent).toEqual({ i, start: i });
      expect(context.notes.map(([, done]) => done)).toEqual([0, 1, 2, 3, 4].map((step) => i * 100 + step));
      expect(context.state).toEqual({ start: i, s0: i, s1: i, s2: i, s3: i, s4: i });
    }
  });

  it('are cancelled one by one', async () => {
    const controller = new AbortController();
    const others = await Promise.all(['acme', 'acme', 'beta', 'beta'].map((tenantId) => waiting(code, tenantId)));
    const one = await waiting(code, 'acme', { context: recordedContext({ signal: controller.signal }) });
    controller.abort();
    expect(textOf(await one.outcome)).toBe('Tool "probe" was cancelled.');
    expect(code.runner.stats().running).toBe(4);
    for (const other of others) other.release();
    for (const other of others) expect(textOf(await other.outcome)).toBe('released');
  });
});

describe('guests of one thread', () => {
  const code = useCodeRunner({ threads: 1, guestsPerThread: 12 });

  it('wait for one that spins no longer than its limit, and it is stopped', async () => {
    const order: string[] = [];
    const neighbour = await waiting(code, 'beta');
    const first = await computing(code, spin);
    const spinning = [first.outcome, ...Array.from({ length: 4 }, () => code.run(spin))].map(async (outcome) => {
      const text = textOf(await outcome);
      order.push('spun');
      return text;
    });
    neighbour.release();
    expect(textOf(await neighbour.outcome)).toBe('released');
    expect(order).toEqual(['spun']);
    for (const text of await Promise.all(spinning)) expect(text).toContain('CPU time limit of 200 ms');
  });

  it('are cancelled in time while one spins', async () => {
    const controllers = Array.from({ length: 3 }, () => new AbortController());
    const sleeping = await Promise.all(
      controllers.map(({ signal }) => waiting(code, 'beta', { context: recordedContext({ signal }) })),
    );
    const spinning = await computing(code, spin, { limits: { cpuMs: 3_000 } });
    const cancelledAt = performance.now();
    for (const controller of controllers) controller.abort();
    for (const { outcome } of sleeping) expect(textOf(await outcome)).toContain('was cancelled');
    expect(performance.now() - cancelledAt).toBeLessThan(1_000);
    expect(textOf(await spinning.outcome)).toContain('CPU time limit of 3000 ms');
    expect(code.runner.stats()).toMatchObject({ running: 0, killed: 0 });
  });

  it('are left alone by one that exhausts its memory', async () => {
    const neighbours = await Promise.all(['acme', 'beta', 'beta'].map((tenantId) => waiting(code, tenantId)));
    const greedy = await code.run('const a = []; for (;;) a.push(new Uint8Array(1e6).fill(1))', {
      limits: { memoryBytes: 16 * 1024 * 1024, cpuMs: 5_000 },
    });
    expect(greedy.isError).toBe(true);
    expect(textOf(greedy)).toMatch(/memory limit|out of memory/);
    for (const neighbour of neighbours) neighbour.release();
    for (const neighbour of neighbours) expect(textOf(await neighbour.outcome)).toBe('released');
  });

  it('end with an internal error when one cannot be interrupted; those that had not begun run elsewhere', async () => {
    const neighbour = await waiting(code, 'beta');
    const ended = expect(neighbour.outcome).rejects.toThrow('its thread was lost to another call');
    const culprit = await computing(code, stuck);
    const late = code.run('return "begun later"', { tenantId: 'beta' });
    expect(textOf(await culprit.outcome)).toContain('CPU time limit of 200 ms');
    await ended;
    expect(textOf(await late)).toBe('begun later');
    expect(code.runner.stats()).toMatchObject({ running: 0, guests: 0, killed: 0 });
  });
});

describe('the memory of all calls', () => {
  const MiB = 1024 * 1024;
  const code = useCodeRunner({ threads: 2, guestsPerThread: 8, guestMemoryBytes: 256 * MiB, queueWaitMs: 60_000 });

  it('is bounded by the sum of their limits, whatever places are free', async () => {
    const held = await Promise.all(['acme', 'acme', 'beta'].map((tenantId) => waiting(code, tenantId)));
    const third = code.run('return "in turn"');
    expect(code.runner.stats()).toMatchObject({ running: 3, queued: 1 });
    const small = await code.run('return "small"', { tenantId: 'gamma', limits: { memoryBytes: 32 * MiB } });
    expect(textOf(small)).toBe('small');
    expect(code.runner.stats()).toMatchObject({ running: 3, queued: 1 });
    held[0]?.release();
    expect(textOf(await third)).toBe('in turn');
    for (const call of held) call.release();
    await Promise.all(held.map((call) => call.outcome));
  });
});

describe('a process that is killed', () => {
  const code = useCodeRunner({ threads: 2, guestsPerThread: 8 });

  it('ends each of its guests once, and its successor takes calls', async () => {
    const calls = await Promise.all(['a', 'a', 'b', 'b', 'c', 'c'].map((tenantId) => waiting(code, tenantId)));
    const ends: string[] = [];
    const ended = calls.map(({ outcome }) =>
      outcome.then(
        () => ends.push('answered'),
        (error: Error) => ends.push(error.message),
      ),
    );
    const { processes } = (code.runner as unknown as { pool: { processes: Set<{ pid: number }> } }).pool;
    process.kill([...processes][0]?.pid ?? 0, 'SIGKILL');
    await Promise.all(ended);
    expect(ends).toEqual(Array(6).fill('The sandbox process that ran tool "probe" ended unexpectedly'));
    expect(textOf(await code.run('return "next"'))).toBe('next');
    expect(code.runner.stats()).toMatchObject({ processes: 1, running: 0, guests: 0, killed: 1 });
  });
});
