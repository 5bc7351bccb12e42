import { InputNeeded, type RoundInputs } from '@gantry/mcp-core';
import { describe, expect, it } from 'vitest';
import { firstRound, gate, recordedContext, textOf, useCodeRunner } from '../../../../../test/support/code-runner.js';
import { converse } from '../../../../../test/support/rounds.js';

const code = useCodeRunner();

const form = { message: 'Sure?', requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } } } };
const messages = [{ role: 'user', content: { type: 'text', text: 'Name a river.' } }];
/** What every source here may use. */
const prelude = `const form = ${JSON.stringify(form)}; const prompt = ${JSON.stringify({ messages, maxTokens: 9 })};`;

const round = (source: string, inputs: Partial<RoundInputs> = {}, more: Parameters<typeof code.round>[1] = {}) =>
  code.round(prelude + source, { context: recordedContext({ inputs: { ...firstRound, ...inputs } }), ...more });

async function asking(...given: Parameters<typeof round>): Promise<InputNeeded> {
  const outcome = await round(...given);
  if (!(outcome instanceof InputNeeded)) throw new Error(`it does not ask: ${JSON.stringify(outcome)}`);
  return outcome;
}

async function answering(...given: Parameters<typeof round>): Promise<string> {
  const outcome = await round(...given);
  if (outcome instanceof InputNeeded) throw new Error(`it asks: ${JSON.stringify(outcome)}`);
  return textOf(outcome);
}

describe('ctx.elicit, ctx.sample and ctx.roots', () => {
  it.each([
    ['ctx.elicit("q", form)', { method: 'elicitation/create', params: form }],
    [
      'ctx.elicit("q", { mode: "url", url: "https://pay.example.com/1", message: "Pay" })',
      { method: 'elicitation/create', params: { mode: 'url', url: 'https://pay.example.com/1', message: 'Pay' } },
    ],
    ['ctx.sample("q", prompt)', { method: 'sampling/createMessage', params: { messages, maxTokens: 9 } }],
    ['ctx.roots("q")', { method: 'roots/list' }],
  ])('ends the run with the question of %s, and holds nothing', async (call, request) => {
    const { requests, requestState, kept } = await asking(`return await ${call}`);
    expect({ requests, requestState, kept }).toEqual({ requests: { q: request }, requestState: undefined, kept: {} });
    expect(code.runner.stats()).toMatchObject({ running: 0, guests: 0, queued: 0, killed: 0 });
  });

  it.each([
    ['elicit("q", form)', { action: 'accept', content: { ok: true } }],
    ['elicit("q", form)', { action: 'decline' }],
    ['elicit("q", form)', { action: 'cancel' }],
    ['sample("q", prompt)', { role: 'assistant', content: { type: 'text', text: 'Po' }, model: 'm' }],
    ['roots("q")', { roots: [{ uri: 'file:///a' }] }],
  ])('gives ctx.%s its answer %j', async (call, result) => {
    const got = await answering(`return { got: await ctx.${call} }`, { answers: { q: { result } } });
    expect(JSON.parse(got)).toEqual({ got: result });
  });

  it('rejects with the error that a client answered, for the code to catch', async () => {
    const answers = { q: { error: { code: -1, message: 'no user here' } } };
    const caught = 'try { await ctx.elicit("q", form) } catch (e) { return [e instanceof Error, e.code, e.message] }';
    expect(await answering(caught, { answers })).toBe('[true,-1,"no user here"]');
    expect(await answering('await ctx.elicit("q", form)', { answers })).toContain('failed: InputError: no user here');
  });

  it('asks together what is awaited together, and each question once', async () => {
    const source = `${prelude}
      const [sure, river, { roots }] = await Promise.all([ctx.elicit('sure', form), ctx.sample('river', prompt), ctx.roots('roots')]);
      const again = await ctx.elicit('again', { ...form, message: sure.action + river.model + roots.length });
      return [sure, river, roots, again]`;
    const answerOf: Record<string, unknown> = {
      sure: { action: 'accept' },
      river: { model: 'm' },
      roots: { roots: [] },
    };
    const { outcome, asked } = await converse(
      (inputs) => code.round(source, { context: recordedContext({ inputs }) }),
      (key, { params }) => ({ result: answerOf[key] ?? params?.message }),
    );
    expect(asked).toEqual([['sure', 'river', 'roots'], ['again']]);
    expect(outcome.structuredContent).toEqual([{ action: 'accept' }, { model: 'm' }, [], 'acceptm0']);
  });

  it('asks with the answered ones left out', async () => {
    const { requests } = await asking('await Promise.all([ctx.roots("a"), ctx.roots("b")])', {
      answers: { a: { result: { roots: [] } } },
    });
    expect(Object.keys(requests)).toEqual(['b']);
  });

  it('does not cut off a fetch or a sleep beside a question', async () => {
    const called = gate();
    const reply = gate();
    const context = recordedContext();
    const fetch = async () => {
      called.open();
      await reply.opened;
      return { status: 200, headers: [], body: Buffer.from('fetched') };
    };
    const running = round(
      `await Promise.all([ctx.roots("a"), (async () => { const r = await ctx.fetch("http://a.test"); ctx.log("info", await r.text());
        await ctx.sleep(1); ctx.log("info", "slept"); await ctx.roots("b") })()])`,
      {},
      { context, fetch },
    );
    await called.opened;
    reply.open();
    expect(Object.keys(((await running) as InputNeeded).requests)).toEqual(['a', 'b']);
    expect(context.notes.map(([, , text]) => text)).toEqual(['fetched', 'slept']);
  });

  it('takes one question asked twice for one', async () => {
    const twice = 'return await Promise.all([ctx.roots("q"), ctx.roots("q")])';
    expect(Object.keys((await asking(twice)).requests)).toEqual(['q']);
    const answers = { q: { result: 5 } };
    expect(await answering(twice, { answers })).toBe('[5,5]');
  });

  it.each([
    ['ctx.elicit(5, form)', 'ctx.elicit(5): the key must be a string'],
    ['ctx.roots(Symbol("q"))', 'ctx.roots(Symbol(q)): the key must be a string'],
    ['ctx.roots("")', 'the key must have 1 to 128 characters'],
    ['ctx.roots("k".repeat(129))', 'the key must have 1 to 128 characters'],
    ['ctx.roots("__proto__")', 'must not be "__proto__"'],
    ['Promise.all([ctx.roots("q"), ctx.elicit("q", form)])', 'another question of this run has the same key'],
    ['ctx.elicit("q")', 'params must be an object'],
    ['ctx.elicit("q", {})', 'params.message must be a string'],
    ['ctx.elicit("q", { message: "m" })', 'params.requestedSchema must be {type: "object"'],
    ['ctx.elicit("q", { message: "m", mode: "url", url: "javascript:1" })', 'params.url must be an absolute http'],
    ['ctx.elicit("q", { message: "m", mode: "tty" })', 'params.mode must be "form" or "url"'],
    ['ctx.sample("q", { messages: [], maxTokens: 1 })', 'params.messages must be a list'],
    ['ctx.sample("q", { messages: [{ role: "system" }], maxTokens: 1 })', 'params.messages[0].role'],
    ['ctx.sample("q", { messages: [{ role: "user" }], maxTokens: 1 })', 'params.messages[0].content'],
    ['ctx.sample("q", { ...prompt, maxTokens: 0.5 })', 'params.maxTokens must be a whole number'],
    ['ctx.elicit("q", { ...form, a: 1n })', 'BigInt'],
  ])('refuses %s in words that the code can catch', async (call, words) => {
    expect(await answering(`try { await ${call} } catch (e) { return e instanceof TypeError && e.message }`)).toContain(
      words,
    );
  });

  it('refuses another question under an answered key', async () => {
    const source = 'await ctx.roots("q"); await ctx.elicit("q", form)';
    expect(await answering(source, { answers: { q: { result: {} } } })).toContain('has the same key');
  });

  it('asks sixteen at once and no more', async () => {
    const all = (count: number) => `await Promise.all(Array.from({ length: ${count} }, (_, i) => ctx.roots("q" + i)))`;
    expect(Object.keys((await asking(all(16))).requests)).toHaveLength(16);
    expect(await answering(all(17))).toContain('ctx.roots("q16"): a run can wait for 16 questions at once');
  });

  it('counts questions against the output limit', async () => {
    const limits = { outputBytes: 1_000 };
    const large = 'await ctx.elicit("q", { ...form, message: "x".repeat(900) })';
    expect(await answering(large, {}, { limits })).toContain('the question is too large');
    const two = 'await Promise.all(["a", "b"].map((k) => ctx.elicit(k, { ...form, message: "x".repeat(500) })))';
    expect(await answering(two, {}, { limits })).toContain('ctx.elicit("b"): the question is too large');
  });

  it('says that a question was not asked when the function ended without its answer', async () => {
    const lines: unknown[] = [];
    const source = 'ctx.roots("late"); return await Promise.race([ctx.roots("q"), ctx.sleep(1).then(() => "went on")])';
    expect(await answering(source, {}, { onConsole: (level, line) => lines.push([level, line]) })).toBe('went on');
    expect(lines).toEqual([
      ['warning', 'the question "late" was not asked: the function ended without its answer'],
      ['warning', 'the question "q" was not asked: the function ended without its answer'],
    ]);
  });

  it('stores no state of a round that only asks', async () => {
    const context = recordedContext({ state: { n: 1 } });
    await round('ctx.state.n++; await ctx.roots("q")', {}, { context });
    expect(context.state).toEqual({ n: 1 });
    const inputs = { ...firstRound, answers: { q: { result: {} } }, responses: { q: {} } };
    const answered = recordedContext({ state: { n: 1 }, inputs });
    await round('ctx.state.n++; await ctx.roots("q")', {}, { context: answered });
    expect(answered.state).toEqual({ n: 2 });
  });

  it('lets the signal end what waits for an answer beside a call', async () => {
    const context = recordedContext();
    const source = 'ctx.roots("q").catch((e) => ctx.log("info", e.name)); await ctx.sleep(1e6)';
    expect(await answering(source, {}, { context, limits: { wallMs: 60 } })).toContain('time limit of 60 ms');
    expect(context.notes).toEqual([['log', 'info', 'TimeoutError', undefined]]);
  });

  it('gives each round its own CPU budget', async () => {
    const busy = '{ const until = Date.now() + 60; while (Date.now() < until); }';
    const source = `${busy} await ctx.roots("a"); ${busy} await ctx.roots("b"); return "done"`;
    const { outcome } = await converse(
      (inputs) => code.round(source, { context: recordedContext({ inputs }), limits: { cpuMs: 200 } }),
      () => ({ result: {} }),
    );
    // No round computes for more than 120 ms, and all three together for 300.
    expect(textOf(outcome)).toBe('done');
  });
});
