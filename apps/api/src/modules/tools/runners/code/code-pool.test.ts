import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { caseSource, gate, recordedContext, textOf, useCodeRunner } from '../../../../../test/support/code-runner.js';
import type { CodeRun } from './index.js';

/** A call that holds its place until it is let go. */
function held(code: ReturnType<typeof useCodeRunner>, tenantId: string, more: Partial<CodeRun> = {}) {
  const [begun, release] = [gate(), gate()];
  const fetch = async () => {
    begun.open();
    await release.opened;
    return { status: 200, headers: [], body: new Uint8Array() };
  };
  const outcome = code.run('await ctx.fetch("http://gate.test"); return "released"', { tenantId, fetch, ...more });
  const early = outcome.then((ended) => {
    throw new Error(`the call ended before it was let go: ${textOf(ended)}`);
  });
  // Only a test that still waits for the beginning is told.
  early.catch(() => {});
  return { begun: Promise.race([begun.opened, early]), release: release.open, outcome };
}

describe('fairness', () => {
  const code = useCodeRunner({ threads: 4, guestsPerThread: 1, queueWaitMs: 60_000 });

  it('answers another tenant while ten calls of one loop', async () => {
    const loops = Array.from({ length: 10 }, () => code.run(caseSource('sbx-loop'), { limits: { cpuMs: 100 } }));
    const order: string[] = [];
    const all = Promise.all(loops).then(() => order.push('loops'));
    expect(textOf(await code.run('return "pong"', { tenantId: 'beta' }))).toBe('pong');
    order.push('pong');
    await all;
    expect(order).toEqual(['pong', 'loops']);
    for (const outcome of await Promise.all(loops)) expect(textOf(outcome)).toContain('CPU time limit of 100 ms');
  });

  it('gives one tenant half of the places at most, and the next call in turn', async () => {
    const calls = Array.from({ length: 3 }, () => held(code, 'acme'));
    await Promise.all([calls[0]?.begun, calls[1]?.begun]);
    expect(code.runner.stats()).toMatchObject({ running: 2, queued: 1, threads: 4, places: 4, guests: 2 });
    expect(textOf(await code.run('return "pong"', { tenantId: 'beta' }))).toBe('pong');
    expect(code.runner.stats()).toMatchObject({ running: 2, queued: 1 });
    calls[0]?.release();
    await calls[2]?.begun;
    for (const call of calls) call.release();
    expect((await Promise.all(calls.map((call) => call.outcome))).map(textOf)).toEqual(Array(3).fill('released'));
    expect(code.runner.stats()).toMatchObject({ running: 0, guests: 0, queued: 0, killed: 0 });
  });
});

describe('the queue', () => {
  const code = useCodeRunner({ threads: 2, guestsPerThread: 1, queueMax: 4, tenantQueueMax: 2, queueWaitMs: 150 });

  it('refuses a call that would make it too long, and one that waits too long', async () => {
    const first = held(code, 'acme');
    await first.begun;
    const [waiting, second, third] = [1, 2, 3].map(() => code.run('return "ran"'));
    expect(textOf(await third!)).toBe('Tool "probe" could not start: too many calls are waiting for tenant code.');
    for (const call of [waiting!, second!]) {
      const outcome = await call;
      expect(outcome.isError).toBe(true);
      expect(textOf(outcome)).toContain('no sandbox place became free within 150 ms');
    }
    first.release();
    expect(textOf(await first.outcome)).toBe('released');
  });

  it('takes a cancelled call out of the line', async () => {
    const first = held(code, 'acme');
    await first.begun;
    const controller = new AbortController();
    const waiting = code.run('return "ran"', { context: recordedContext({ signal: controller.signal }) });
    expect(code.runner.stats().queued).toBe(1);
    controller.abort();
    expect(textOf(await waiting)).toContain('was cancelled');
    expect(code.runner.stats().queued).toBe(0);
    first.release();
    await first.outcome;
  });
});

describe('the processes', () => {
  const lost: { pid: number | undefined; fate: string }[] = [];
  const code = useCodeRunner({
    threads: 4,
    guestsPerThread: 1,
    queueWaitMs: 15_000,
    onProcessLost: (detail) => lost.push(detail),
  });
  const pidOf = async () => {
    const { processes } = (code.runner as unknown as { pool: { processes: Set<{ pid: number }> } }).pool;
    return [...processes][0]?.pid ?? 0;
  };

  it('fails the calls of a process that is killed, and replaces it (seed C6)', async () => {
    const running = [held(code, 'acme'), held(code, 'acme')];
    await Promise.all(running.map((call) => call.begun));
    const waiting = code.run('return "after"');
    const pid = await pidOf();
    process.kill(pid, 'SIGKILL');
    for (const { outcome } of running) await expect(outcome).rejects.toThrow('ended unexpectedly');
    expect(textOf(await waiting)).toBe('after');
    expect(await pidOf()).not.toBe(pid);
    expect(code.runner.stats()).toMatchObject({ processes: 1, running: 0, killed: 1 });
    expect(lost).toEqual([{ pid, fate: expect.stringContaining('SIGKILL') }]);
  });

  it('kills a process that does not answer a cancel', async () => {
    const controller = new AbortController();
    const call = held(code, 'acme', { context: recordedContext({ signal: controller.signal }) });
    await call.begun;
    const killed = code.runner.stats().killed;
    process.kill(await pidOf(), 'SIGSTOP');
    controller.abort();
    expect(textOf(await call.outcome)).toContain('was cancelled');
    expect(textOf(await code.run('return "next"'))).toBe('next');
    expect(code.runner.stats().killed).toBe(killed + 1);
  });

  it('has processes that end by themselves when the server is gone', async () => {
    const { processes } = (code.runner as unknown as { pool: { processes: Set<{ child: ChildProcess }> } }).pool;
    const [{ child }] = [...processes] as [{ child: ChildProcess }];
    const call = held(code, 'acme');
    await call.begun;
    const ended = new Promise((resolve) => child.once('exit', (exitCode) => resolve(exitCode)));
    // What a child sees of a server that was killed is the end of its channel.
    child.disconnect();
    expect(await ended).toBe(0);
    await expect(call.outcome).rejects.toThrow('ended unexpectedly');
    expect(textOf(await code.run('return "next"'))).toBe('next');
  });

  it.runIf(process.platform === 'linux')('has no environment but what Node needs', async () => {
    const pid = await pidOf();
    const names = readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .filter(Boolean)
      .map((entry) => entry.split('=')[0]);
    expect(names.filter((name) => !name?.startsWith('NODE_CHANNEL_'))).toEqual([]);
  });

  it('ends with the runner, within two seconds, whatever runs', async () => {
    const pid = await pidOf();
    const spinning = code.run('ctx.progress(1); for (;;) await 0', { limits: { cpuMs: 60_000 } });
    const failed = expect(spinning).rejects.toThrow('shutting down');
    const begun = performance.now();
    await code.runner.close();
    expect(performance.now() - begun).toBeLessThan(2_000);
    await failed;
    expect(() => process.kill(pid, 0)).toThrow();
    await expect(code.run('return 1')).rejects.toThrow('shutting down');
  });
});
