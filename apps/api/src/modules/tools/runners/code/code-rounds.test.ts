import { InputNeeded } from '@gantry/mcp-core';
import { describe, expect, it } from 'vitest';
import { firstRound, recordedContext, textOf, useCodeRunner } from '../../../../../test/support/code-runner.js';
import { converse } from '../../../../../test/support/rounds.js';

const code = useCodeRunner();

const question = { method: 'elicitation/create', params: { mode: 'url', message: 'Go', url: 'https://a.test/' } };
const asks = `const question = ${JSON.stringify(question)};`;

describe('ctx.once', () => {
  it('runs its function once over all rounds, and gives every round the same', async () => {
    const sent: string[] = [];
    const fetch = async ({ url }: { url: string }) => {
      sent.push(url);
      return { status: 200, headers: [], body: Buffer.from(`"receipt ${sent.length}"`) };
    };
    const source = `const receipt = await ctx.once('pay', async () => (await ctx.fetch('http://pay.test')).json());
      const at = await ctx.once('at', () => new Date(0));
      await ctx.roots('a'); await ctx.roots('b');
      return { receipt, at, nothing: await ctx.once('nothing', () => {}) }`;
    const { outcome, asked } = await converse(
      (inputs) => code.round(source, { context: recordedContext({ inputs }), fetch }),
      () => ({ result: {} }),
    );
    expect(sent).toEqual(['http://pay.test']);
    expect(asked).toEqual([['a'], ['b']]);
    const { structuredContent } = outcome;
    expect(structuredContent).toEqual({ receipt: 'receipt 1', at: '1970-01-01T00:00:00.000Z', nothing: null });
  });

  it('keeps what earlier rounds kept beside what this one keeps', async () => {
    const context = recordedContext({ inputs: { ...firstRound, kept: { a: 1 } } });
    const outcome = await code.round('await ctx.once("b", async () => [2]); await ctx.roots("q")', {
      context,
    });
    expect(outcome).toMatchObject({ kept: { a: 1, b: [2] } });
  });

  it('runs its function once for two that ask at the same time or one after the other', async () => {
    const source = `let n = 0; const both = await Promise.all([ctx.once('k', () => ++n), ctx.once('k', () => ++n)]);
      return [...both, await ctx.once('k', () => ++n)]`;
    expect(textOf(await code.run(source))).toBe('[1,1,1]');
  });

  it('keeps no error', async () => {
    const source = `let n = 0; const fn = () => { if (++n === 1) throw new Error('first'); return n };
      const first = await ctx.once('k', fn).catch((e) => e.message);
      return [first, await ctx.once('k', fn)]`;
    expect(textOf(await code.run(source))).toBe('["first",2]');
    const asking = 'await ctx.once("k", () => { throw new Error("x") }).catch(() => {}); await ctx.roots("q")';
    expect(await code.round(asking)).toMatchObject({ kept: {} });
  });

  it('may ask inside, and keeps the whole when it is answered', async () => {
    const source = `const r = await ctx.once('k', async () => [await ctx.roots('in')]); await ctx.roots('after'); return r`;
    const { outcome, asked } = await converse(
      (inputs) => code.round(source, { context: recordedContext({ inputs }) }),
      () => ({ result: 7 }),
    );
    expect(asked).toEqual([['in'], ['after']]);
    expect(outcome.structuredContent).toEqual([7]);
  });

  it.each([
    ['ctx.once("k", () => 1n)', 'ctx.once("k"): its result cannot be kept as JSON: TypeError'],
    ['ctx.once("k", () => () => 1)', 'a function is no JSON value'],
    ['ctx.once("k", () => "x".repeat(2000))', 'ctx.once("k"): its result is too large to be kept'],
    ['ctx.once("k")', 'ctx.once(key, fn): fn must be a function'],
    ['ctx.once(5, () => 1)', 'ctx.once(5): the key must be a string'],
    ['ctx.once("__proto__", () => 1)', 'must not be "__proto__"'],
  ])('refuses %s', async (call, words) => {
    const outcome = await code.run(`try { await ${call} } catch (e) { return e.message }`, {
      limits: { outputBytes: 1_500 },
    });
    expect(textOf(outcome)).toContain(words);
  });

  it('does not run its function for a key that cannot be kept', async () => {
    const context = recordedContext();
    await code.run('await ctx.once("", () => ctx.progress(1)).catch(() => {})', { context });
    expect(context.notes).toEqual([]);
  });
});

describe('ctx.needInput', () => {
  it('steers the rounds itself, with a state that comes back', async () => {
    const source = `${asks}
      if (ctx.requestState === undefined) return ctx.needInput({ name: question }, { step: 1, had: ctx.responses ?? 'none' });
      if (ctx.requestState.step === 1) return ctx.needInput({ colour: question, places: { method: 'roots/list' } }, { ...ctx.requestState, step: 2, name: ctx.responses.name });
      return { state: ctx.requestState, responses: ctx.responses }`;
    const { outcome, asked } = await converse(
      (inputs) => code.round(source, { context: recordedContext({ inputs }) }),
      (key) => ({ result: `the ${key}` }),
    );
    expect(asked).toEqual([['name'], ['colour', 'places']]);
    expect(outcome.structuredContent).toEqual({
      state: { step: 2, had: 'none', name: 'the name' },
      responses: { colour: 'the colour', places: 'the places' },
    });
  });

  it('gives the questions and the state as they are, and what was kept', async () => {
    const outcome = await code.round(
      `${asks} await ctx.once('k', () => 1); return ctx.needInput({ q: question, r: { method: 'roots/list' } }, [null])`,
    );
    expect(outcome).toEqual(new InputNeeded({ q: question as never, r: { method: 'roots/list' } }, [null], { k: 1 }));
    expect(await code.round('return ctx.needInput({})')).toEqual(new InputNeeded({}, undefined, {}));
  });

  it('stores no state of the session', async () => {
    const context = recordedContext({ state: { n: 1 } });
    await code.round('ctx.state.n = 2; return ctx.needInput({}, "again")', { context });
    expect(context.state).toEqual({ n: 1 });
  });

  it.each([
    ['ctx.needInput()', 'ctx.needInput({key: {method, params}}, state?): it takes an object'],
    ['ctx.needInput({ q: 5 })', 'ctx.needInput: "q": it must be an object with method and params'],
    ['ctx.needInput({ q: undefined })', 'ctx.needInput: "q": it is no JSON'],
    ['ctx.needInput({ q: { method: "tools/call" } })', 'method must be one of elicitation/create'],
    ['ctx.needInput({ q: { method: "constructor" } })', 'method must be one of elicitation/create'],
    ['ctx.needInput({ q: { method: "elicitation/create" } })', 'params.message must be a string'],
    ['ctx.needInput({ "": question })', 'the key must have 1 to 128 characters'],
    ['ctx.needInput({}, () => 1)', 'a function is no JSON value'],
    ['ctx.needInput({}, 1n)', 'BigInt'],
    [
      'ctx.needInput(Object.fromEntries(Array.from({ length: 17 }, (_, i) => ["q" + i, question])))',
      'more than 16 questions at once',
    ],
    [
      'ctx.needInput({}, JSON.parse("[".repeat(300) + "]".repeat(300)))',
      'the state must not be nested more than 256 levels deep',
    ],
  ])('refuses %s', async (call, words) => {
    const outcome = await code.run(`${asks} return ${call}`);
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toContain(words);
  });

  it('counts questions, kept results and state together against the output limit', async () => {
    const source = `${asks} await ctx.once('k', () => 'x'.repeat(800)); return ctx.needInput({ q: question }, 'x'.repeat(800))`;
    const outcome = await code.run(source, { limits: { outputBytes: 1_500 } });
    expect(textOf(outcome)).toContain('output limit of 1500 bytes');
  });

  it('also counts what earlier rounds kept', async () => {
    const context = recordedContext({ inputs: { ...firstRound, kept: { before: 'x'.repeat(800) } } });
    const source = 'await ctx.once("k", () => "x".repeat(800)); await ctx.roots("q")';
    const outcome = await code.run(source, { context, limits: { outputBytes: 1_500 } });
    expect(textOf(outcome)).toContain('output limit of 1500 bytes');
  });

  it('means nothing when it is not returned', async () => {
    expect(textOf(await code.run(`${asks} ctx.needInput({ q: question }); return 'answer'`))).toBe('answer');
    expect(textOf(await code.run(`${asks} return { not: ctx.needInput({ q: question }) }`))).toBe('{"not":{}}');
  });
});
