import { describe, expect, it } from 'vitest';
import { caseSource, gate, recordedContext, textOf, useCodeRunner } from '../../../../../test/support/code-runner.js';

const code = useCodeRunner();

describe('CPU', () => {
  it.each([
    ['a loop', caseSource('sbx-loop')],
    ['a loop of microtasks', caseSource('sbx-microtask-loop')],
    ['a loop after an await', 'await ctx.sleep(1); for (;;);'],
    ['a loop that catches all', 'for (;;) { try { for (;;); } catch {} finally { continue } }'],
    ['a loop at the top level', 'for (;;); export default () => 1'],
    ['a regular expression that backtracks', 'return /^(a+)+$/.test("a".repeat(40) + "b")'],
    ['a getter on the thrown value', 'throw Object.assign(new Error(), { get message() { for (;;); } })'],
    ['a getter on the result', 'return { get a() { for (;;); } }'],
    ['a Proxy as the result', 'return new Proxy({}, { ownKeys() { for (;;); } })'],
    ['a thenable as the result', 'return { then() { for (;;); } }'],
    ['a toJSON', 'Object.prototype.toJSON = function () { for (;;); }; return {}'],
    [
      'an abort listener',
      'ctx.signal.addEventListener("abort", () => { for (;;); }); await ctx.sleep(1e6)',
      'time limit of 300 ms',
    ],
    [
      'many short stretches',
      'for (;;) { await ctx.sleep(0); for (let i = 0; i < 1e5; i++); }',
      'CPU time limit',
      20_000,
    ],
  ])('stops %s', async (_what, source, words = 'CPU time limit of 200 ms', wallMs = 300) => {
    const context = recordedContext();
    const outcome = await code.run(source, {
      context,
      limits: words.includes('CPU') ? { wallMs: 20_000 } : { wallMs },
    });
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toBe(
      `Tool "probe" was stopped: it reached its ${words}${words === 'CPU time limit' ? ' of 200 ms' : ''}.`,
    );
  });

  it('stops one native operation that never reaches an interrupt, and goes on with a new thread', async () => {
    const outcome = await code.run('const a = new Uint8Array(3e7); for (;;) a.sort()', { limits: { cpuMs: 50 } });
    expect(textOf(outcome)).toContain('CPU time limit of 50 ms');
    expect(textOf(await code.run('return "next"'))).toBe('next');
  });

  it('does not count waiting', async () => {
    expect(textOf(await code.run('await ctx.sleep(150); return "rested"', { limits: { cpuMs: 50 } }))).toBe('rested');
  });

  it('ends with the call what the function left behind', async () => {
    const context = recordedContext();
    const left =
      '(async () => { for (;;) { await 0; ctx.progress(1) } })(); ctx.sleep(1).then(() => ctx.progress(2)); return "at once"';
    expect(textOf(await code.run(left, { context }))).toBe('at once');
    const heard = context.notes.length;
    expect(textOf(await code.run('await ctx.sleep(20); return "later"'))).toBe('later');
    expect(context.notes).toHaveLength(heard);
  });
});

describe('memory', () => {
  it.each([
    ['arrays', 'const a = []; for (;;) a.push({})'],
    ['strings', 'let s = "x"; for (;;) s += s'],
    ['kept strings', 'const a = []; for (;;) a.push("x".repeat(1e5) + a.length)'],
    ['typed arrays', 'const a = []; for (;;) a.push(new Uint8Array(1e6).fill(1))'],
    ['one huge buffer', 'return new ArrayBuffer(2 ** 31 - 1).byteLength'],
    ['arrays, catching all', 'for (;;) { try { const a = []; for (;;) a.push(new Array(1e5).fill(1)) } catch {} }'],
    ['arrays after an await', 'await ctx.sleep(1); const a = []; for (;;) a.push(new Array(1e5).fill(1))'],
    ['bytes from the host', 'const a = []; const s = "x".repeat(1e6); for (;;) a.push(new TextEncoder().encode(s))'],
  ])('stops code that fills it with %s', async (_what, body) => {
    const outcome = await code.run(body, { limits: { cpuMs: 5_000, memoryBytes: 16 * 1024 * 1024 } });
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toMatch(/memory limit of 16777216 bytes|out of memory|too long|invalid/i);
  });

  it('makes an error of recursion without end', async () => {
    for (const body of [
      'const f = () => f() + 1; f()',
      'await 0; const f = () => [1].map(f); f()',
      'const a = []; a[0] = a; for (let i = 0; i < 1e5; i++) a[0] = [a[0]]; return String(new Proxy([a], {}))',
    ]) {
      const outcome = await code.run(body, { limits: { cpuMs: 2_000 } });
      expect(outcome.isError, body).toBe(true);
    }
    expect(textOf(await code.run('return "alive"'))).toBe('alive');
  });
});

describe('time', () => {
  it('stops a promise that is never settled', async () => {
    const outcome = await code.run('await new Promise(() => {})', { limits: { wallMs: 200 } });
    expect(textOf(outcome)).toBe('Tool "probe" was stopped: it reached its time limit of 200 ms.');
  });

  it('aborts the signal, lets the code close what it holds, and does not take its answer', async () => {
    const context = recordedContext();
    const source = `ctx.signal.onabort = (event) => ctx.progress(1, 1, event.type);
      ctx.signal.addEventListener('abort', () => ctx.progress(2));
      try { await ctx.sleep(1e6) } catch (error) { ctx.progress(3, 3, error.name); ctx.signal.aborted && ctx.progress(4); return 'late' }`;
    const outcome = await code.run(source, { context, limits: { wallMs: 100 } });
    expect(textOf(outcome)).toContain('time limit of 100 ms');
    expect(context.notes).toEqual([
      ['progress', 1, 1, 'abort'],
      ['progress', 2, undefined, undefined],
      ['progress', 3, 3, 'TimeoutError'],
      ['progress', 4, undefined, undefined],
    ]);
  });
});

describe('cancel', () => {
  it.each([
    ['waiting', 'ctx.progress(1); await ctx.sleep(1e6)'],
    ['computing', 'ctx.progress(1); for (let i = 0; ; i++) if (i % 1e5 === 0) ctx.progress(i)'],
    ['deaf to it', 'ctx.progress(1); for (;;) { try { await ctx.sleep(1e6) } catch {} }'],
  ])('stops code that is %s within a second and frees the thread', async (_what, source) => {
    const controller = new AbortController();
    const begun = gate();
    const context = recordedContext({ signal: controller.signal, progress: begun.open, state: { kept: true } });
    const running = code.run(`ctx.state = { lost: 1 }; ${source}`, {
      context,
      limits: { cpuMs: 60_000, messages: 1e9 },
    });
    await begun.opened;
    const cancelledAt = performance.now();
    controller.abort();
    const outcome = await running;
    expect(performance.now() - cancelledAt).toBeLessThan(1_000);
    expect(textOf(outcome)).toBe('Tool "probe" was cancelled.');
    expect(context.state).toEqual({ kept: true });
    expect(code.runner.stats()).toMatchObject({ running: 0, killed: 0 });
  });

  it('does not run what was cancelled before', async () => {
    const context = recordedContext({ signal: AbortSignal.abort() });
    expect(textOf(await code.run('ctx.progress(1)', { context }))).toContain('was cancelled');
    expect(context.notes).toEqual([]);
  });
});

describe('what leaves the sandbox', () => {
  it.each([
    ['ctx.state', 'ctx.state.deep = deep; return "ok"'],
    ['the data of ctx.error', 'throw ctx.error(-32000, "no", deep)'],
  ])('fails a run that nests %s deeper than can be encoded again, in its own words', async (what, source) => {
    const context = recordedContext({ state: { kept: true } });
    const outcome = await code.run(`let deep = []; for (let i = 0; i < 300; i++) deep = [deep]; ${source}`, {
      context,
    });
    expect(textOf(outcome)).toBe(`Tool "probe" failed: ${what} is nested more than 256 levels deep`);
    expect([outcome.isError, context.state]).toEqual([true, { kept: true }]);
  });

  it('stops a result over the output limit, and state with it', async () => {
    const limits = { outputBytes: 10_000 };
    const words = 'output limit of 10000 bytes';
    expect(textOf(await code.run('return "x".repeat(20000)', { limits }))).toContain(words);
    expect(textOf(await code.run('throw new Error("x".repeat(20000))', { limits }))).toContain(words);
    const context = recordedContext({ state: {} });
    expect(textOf(await code.run('ctx.state.a = "x".repeat(20000)', { limits, context }))).toContain(words);
    expect(context.state).toEqual({});
    expect(textOf(await code.run('return "é".repeat(4000)', { limits }))).toHaveLength(4000);
  });

  it('passes a large result whole', async () => {
    expect(textOf(await code.run('return "x".repeat(4e6)'))).toHaveLength(4e6);
  });

  it('stops a flood of messages, and loses none below the limit', async () => {
    const context = recordedContext();
    const outcome = await code.run('for (let i = 0; ; i++) ctx.progress(i)', {
      context,
      limits: { messages: 500, cpuMs: 5_000 },
    });
    expect(textOf(outcome)).toContain('limit of 500 messages');
    expect(context.notes.map(([, done]) => done)).toEqual(Array.from({ length: 500 }, (_, i) => i));
    const large = await code.run('for (;;) ctx.log("info", "x".repeat(1e5))', { limits: { cpuMs: 5_000 } });
    expect(textOf(large)).toContain('4194304 bytes');
  });

  it('cuts console output and says so', async () => {
    const lines: string[] = [];
    const outcome = await code.run('for (let i = 0; i < 1000; i++) console.log("line", i); return "done"', {
      limits: { consoleBytes: 500 },
      onConsole: (_level, line) => lines.push(line),
    });
    expect(textOf(outcome)).toBe('done');
    expect(lines[0]).toBe('line 0');
    expect(lines.at(-1)).toBe('console output is cut at 500 bytes');
    expect(lines.length).toBeLessThan(40);
  });

  it('stops code that has too many host calls under way', async () => {
    const fetch = () => new Promise<never>(() => {});
    const many = 'await Promise.all(Array.from({ length: 40 }, () => ctx.fetch("http://a.test")))';
    expect(textOf(await code.run(many, { fetch }))).toContain('limit of 32 host calls');
    expect(textOf(await code.run('await Promise.all(Array.from({ length: 40 }, () => ctx.sleep(10)))'))).toContain(
      '32',
    );
    expect(
      textOf(await code.run('await Promise.all(Array.from({ length: 32 }, () => ctx.sleep(1))); return "ok"')),
    ).toBe('ok');
  });

  it('refuses a response that is too long', async () => {
    const fetch = async () => ({ status: 200, headers: [], body: new Uint8Array(9 * 1024 * 1024) });
    expect(textOf(await code.run('await ctx.fetch("http://a.test")', { fetch }))).toContain(
      'longer than 8388608 bytes',
    );
  });
});
