import { describe, expect, it } from 'vitest';
import { firstRound, gate, recordedContext, textOf, useCodeRunner } from '../../../../../test/support/code-runner.js';
import { jobSandboxOptions } from '../job-sandboxes.js';
import { WantsToDetach } from './index.js';

/** As many milliseconds of computing as a job may have. */
const cpuMs = 60_000;
const endless = 'ctx.progress(1); await ctx.sleep(1); for (;;);';

/** A context that says when the run has told its first progress, and can cancel it. */
function begun() {
  const [began, stop] = [gate(), new AbortController()];
  const context = recordedContext({ signal: stop.signal, progress: () => began.open() });
  return { context, began: began.opened, stop: () => stop.abort() };
}

describe('ctx.detach', () => {
  const code = useCodeRunner();
  const source = `const paid = await ctx.once('pay', () => 'receipt');
    return ctx.detach(async () => { ctx.progress(1); return 'pressed with ' + paid })`;

  it('ends the run where the call can go on as a task, with what was done and without what is to be done', async () => {
    const context = recordedContext({ detachable: true, inputs: { ...firstRound, kept: { before: 1 } } });
    const outcome = await code.round(source, { context });
    expect(outcome).toBeInstanceOf(WantsToDetach);
    expect(outcome).toMatchObject({ requests: {}, kept: { before: 1, pay: 'receipt' } });
    expect(context.notes).toEqual([]);
  });

  it('goes on from the top in the job, where nothing is done twice', async () => {
    const context = recordedContext({ inputs: { ...firstRound, kept: { pay: 'the first receipt' } } });
    expect(textOf(await code.run(source, { context }))).toBe('pressed with the first receipt');
    expect(context.notes).toEqual([['progress', 1, undefined, undefined]]);
  });

  it('takes answers of questions into the job', async () => {
    const asks =
      'const { content } = await ctx.elicit("who", { message: "Who?", requestedSchema: { type: "object", properties: {} } });';
    const answered = { ...firstRound, answers: { who: { result: { action: 'accept', content: { who: 'Ada' } } } } };
    const body = `${asks} return ctx.detach(() => content.who)`;
    const inline = recordedContext({ detachable: true, inputs: answered });
    expect(await code.round(body, { context: inline })).toBeInstanceOf(WantsToDetach);
    expect(textOf(await code.run(body, { context: recordedContext({ inputs: answered }) }))).toBe('Ada');
  });
});

describe('a job', () => {
  const code = useCodeRunner({ threads: 2, guestsPerThread: 2, ...jobSandboxOptions(4) });

  it('that is cancelled frees its place within a second, be it computing or waiting', async () => {
    for (const [body, limits] of [
      [endless, { cpuMs, wallMs: 600_000 }],
      ['ctx.progress(1); await ctx.sleep(1e6)', { wallMs: 2_000_000 }],
    ] as const) {
      const { context, began, stop } = begun();
      const outcome = code.run(body, { context, limits });
      await began;
      const stopped = performance.now();
      stop();
      expect(textOf(await outcome)).toBe('Tool "probe" was cancelled.');
      await expect.poll(() => code.runner.stats().guests, { timeout: 10_000, interval: 5 }).toBe(0);
      expect(performance.now() - stopped).toBeLessThan(1_000);
    }
    expect(code.runner.stats()).toMatchObject({ running: 0, queued: 0, killed: 0 });
  });

  it('computes for longer than a call may, and is stopped with words at its own limit', async () => {
    const busy = 'const end = Date.now() + 600; while (Date.now() < end); return "pressed"';
    expect(textOf(await code.run(busy, { limits: { cpuMs, wallMs: 600_000 } }))).toBe('pressed');
    expect(textOf(await code.run(endless, { limits: { cpuMs: 400, wallMs: 600_000 } }))).toBe(
      'Tool "probe" was stopped: it reached its CPU time limit of 400 ms.',
    );
  });

  it("does not keep another tenant's from running while it computes", async () => {
    const { context, began, stop } = begun();
    const outcome = code.run(endless, { tenantId: 'acme', context, limits: { cpuMs, wallMs: 600_000 } });
    await began;
    expect(textOf(await code.run('await ctx.sleep(5); return "pong"', { tenantId: 'beta' }))).toBe('pong');
    expect(code.runner.stats().running).toBe(1);
    stop();
    await outcome;
  });
});

describe('the line for sandboxes of jobs', () => {
  const slots = 6;
  const code = useCodeRunner({ threads: 1, guestsPerThread: 2, ...jobSandboxOptions(slots) });

  it('refuses none of those that run at one time, though one tenant has them all', async () => {
    const [release, waits] = [gate(), begun()];
    const fetch = async () => {
      await release.opened;
      return { status: 200, headers: [], body: new Uint8Array() };
    };
    const held = 'await ctx.fetch("http://gate.test"); return "ran"';
    const jobs = Array.from({ length: slots - 1 }, () => code.run(held, { fetch }));
    const last = code.run('return "ran"', { context: waits.context });
    await expect.poll(() => code.runner.stats(), { timeout: 10_000 }).toMatchObject({ running: 1, queued: slots - 1 });
    waits.stop();
    expect(textOf(await last)).toBe('Tool "probe" was cancelled.');
    release.open();
    expect((await Promise.all(jobs)).map(textOf)).toEqual(Array(slots - 1).fill('ran'));
  });

  it('is as long as the longest job', () => {
    expect(jobSandboxOptions(slots).queueWaitMs).toBeGreaterThanOrEqual(24 * 3_600_000);
  });
});
