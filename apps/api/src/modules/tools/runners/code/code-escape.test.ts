import type { PromptOutcome, ResourceOutcome } from '@gantry/mcp-core';
import { describe, expect, it } from 'vitest';
import { caseSource, recordedContext, textOf, useCodeRunner } from '../../../../../test/support/code-runner.js';

const code = useCodeRunner();

/** Runs in the sandbox: is anything of the host to be had through this value, by any of the usual ways? */
const probe = `
const probe = (value) => {
  const found = [];
  const tries = {
    constructor: () => value.constructor.constructor('return typeof process + typeof require + typeof globalThis.Buffer')(),
    prototype: () => Object.getPrototypeOf(value).constructor.constructor('return typeof process')(),
    prepare: () => {
      Error.prepareStackTrace = (_error, frames) => frames;
      const frames = [].concat(new Error().stack);
      delete Error.prepareStackTrace;
      return frames.flatMap((frame) => [frame?.getThis?.(), frame?.getFunction?.()]).some((got) => got?.process) && 'reached';
    },
    stack: () => /node:|file:|\\/|wasm|\\.ts/.exec(String(value && value.stack))?.[0],
    keys: () => Reflect.ownKeys(Object(value)).map(String).filter((key) => /process|require|module|Buffer/.test(key)).join(),
  };
  for (const [name, attempt] of Object.entries(tries)) {
    try { const got = attempt(); if (got && got !== 'string' && !/^(undefined)+$/.test(got)) found.push(name + ':' + got) } catch {}
  }
  return found;
};`;

describe('the sandbox', () => {
  it('refuses every probe of the case file', async () => {
    const { structuredContent } = await code.run(caseSource('sbx-escape'));
    const found = structuredContent as Record<string, string>;
    expect(Object.keys(found)).toEqual([
      'process',
      'require',
      'hostFunction',
      'argsFunction',
      'errorFunction',
      'dynamicImport',
    ]);
    const { dynamicImport, ...rest } = found;
    for (const [name, value] of Object.entries(rest)) expect(value, name).toMatch(/^(undefined|refused: )/);
    expect(dynamicImport).toMatch(/^(import started|refused: )/);
  });

  it('imports nothing', async () => {
    for (const name of ['node:fs', 'fs', './thread.js', 'data:text/javascript,1', 'tool2.js']) {
      const outcome = await code.run(
        `try { await import(${JSON.stringify(name)}); return 'loaded' } catch (e) { return 'refused' }`,
      );
      expect(textOf(outcome), name).toBe('refused');
    }
    expect(textOf(await code.run('import fs from "node:fs"; export default () => typeof fs'))).toContain(
      'could not load module',
    );
  });

  it('has no global of a host', async () => {
    const { structuredContent } = await code.run(
      'return ["process","require","module","Buffer","fetch","XMLHttpRequest","WebSocket","WebAssembly","Deno","Bun","std","os","bjson","scriptArgs","print","Worker","SharedArrayBuffer2","setTimeout","setInterval"].filter((name) => typeof globalThis[name] !== "undefined")',
    );
    expect(structuredContent).toEqual([]);
  });

  it('gives nothing of the host through what host functions return', async () => {
    const fetch = async (request: { url: string }) => {
      if (request.url.includes('fail')) throw new TypeError('refused by host');
      return { status: 200, headers: [['a', 'b']] as [string, string][], body: new Uint8Array([0xff, 1]) };
    };
    const source = `${probe}
      const form = { message: 'm', requestedSchema: { type: 'object', properties: {} } };
      const response = await ctx.fetch('http://a.test');
      const error = await ctx.fetch('http://fail.test').catch((e) => e);
      const values = { args, ctx, response, error, headers: response.headers, bytes: await response.bytes(), buffer: await response.arrayBuffer(),
        signal: ctx.signal, client: ctx.client, principal: ctx.principal, state: ctx.state, content: ctx.content, fetch: ctx.fetch, progress: ctx.progress,
        log: ctx.log, sleep: ctx.sleep, slept: await ctx.sleep(0), console, consoleLog: console.log, random: Math.random,
        encoded: new TextEncoder().encode('a'), decoded: new TextDecoder().decode(new Uint8Array([65])), protocol: ctx.error(1, 'x'),
        entries: response.headers.entries(), answer: await ctx.elicit('q', form), kept: await ctx.once('k', () => ({ a: 1 })), elicit: ctx.elicit,
        once: ctx.once, needInput: ctx.needInput, asking: ctx.needInput({}), refused: await ctx.roots('').catch((e) => e), responses: ctx.responses,
        failed: await ctx.roots('r').catch((e) => e), requestState: ctx.requestState };
      const bad = (() => { try { ctx.progress('x') } catch (e) { return e } })();
      const found = {};
      for (const [name, value] of Object.entries({ ...values, bad })) { const list = probe(value); if (list.length) found[name] = list }
      return { found };`;
    const answers = { q: { result: { action: 'accept' } }, r: { error: { code: 1, message: 'no' } } };
    const inputs = { answers, responses: { q: { action: 'accept' } }, requestState: { a: [1] }, kept: {} };
    const context = recordedContext({ state: { a: 1 }, inputs });
    const module = `export default async (args, ctx) => {${source}}`;
    const outcome = await code.run(module, { context, fetch, arguments: { a: 1 } });
    expect(outcome).toMatchObject({ structuredContent: { found: {} } });
    expect(textOf(outcome)).toBe('{"found":{}}');
  });

  it('never shows paths or frames of ours in an error', async () => {
    const sources = [
      'return new Error("x").stack',
      'try { ctx.progress({}) } catch (e) { return e.stack }',
      'return await ctx.fetch(Symbol()).catch((e) => e.stack + e.message)',
      'try { new TextDecoder().decode({ get buffer() { throw 1 } }) } catch (e) { return String(e.stack) }',
      'const f = () => f(); try { f() } catch (e) { return e.stack }',
      'throw Object.assign(new Error("a"), { stack: 5 })',
      'new TextEncoder().encode({ toString() { throw new Error("mine") } })',
      'return ctx.elicit("q", {}).catch((e) => e.stack)',
      'return ctx.once("q", () => 1n).catch((e) => e.stack)',
      'try { ctx.needInput(5) } catch (e) { return e.stack }',
    ];
    for (const source of sources)
      expect(textOf(await code.run(source)), source).not.toMatch(/node:|file:|\/|wasm|instances/);
  });

  it.each([
    ['Object.prototype.toJSON', 'Object.prototype.toJSON = () => 5; ctx.log("info", {}); return {}'],
    ['Array.prototype.toJSON', 'Array.prototype.toJSON = () => "x"; ctx.progress(1); return []'],
    ['toJSON of nothing', 'Array.prototype.toJSON = () => undefined; ctx.progress(1)'],
    [
      'Array.prototype.includes',
      'Array.prototype.includes = () => true; ctx.log("bogus", 1); ctx.listChanged("bogus")',
    ],
    ['Promise.prototype.then', 'Promise.prototype.then = () => 1; return "x"'],
    ['Map.prototype.get', 'Map.prototype.get = () => ({ resolve() {}, reject() {} }); await ctx.sleep(1)'],
    ['RegExp.prototype.exec', 'RegExp.prototype.exec = () => ["", "1e999"]; throw new Error("x")'],
    ['JSON and Error', 'JSON.stringify = () => "{"; JSON.parse = () => process; Error = null; throw {}'],
    ['inherited members of the end', 'Object.prototype.how = "crashed"; Object.prototype.code = 7; throw 1'],
    ['ctx itself', 'for (const key of Object.keys(ctx)) ctx[key] = () => { throw key }; return "x"'],
    ['the namespace', 'export const then = () => {}; export default () => 1'],
    ['__proto__ in the result', 'return JSON.parse(\'{"__proto__":{"isError":true,"polluted":1},"content":[]}\')'],
  ])('is not misled by a change of %s', async (_what, source) => {
    const context = recordedContext();
    const outcome = await code.run(source, { context, limits: { wallMs: 300 } });
    expect(Array.isArray(outcome.content)).toBe(true);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    for (const [kind, first] of context.notes) {
      if (kind === 'progress') expect(first).toBeTypeOf('number');
      else expect(first).not.toBe('bogus');
    }
    expect(textOf(await code.run('return JSON.stringify([{}, typeof Object.prototype.how])'))).toBe('[{},"undefined"]');
  });

  it.each([
    ['no JSON', `'{'`, 'the questions cannot be read'],
    ['no text', '5', 'the questions cannot be read'],
    ['a list', `'[]'`, 'the questions cannot be read'],
    ['another method', `'{"q":{"method":"tools/call"}}'`, 'question "q": method must be one of'],
    ['no question', `'{"q":null}'`, 'question "q": it must be an object'],
    ['no fields', `'{"q":{"method":"elicitation/create"}}'`, 'question "q": params.message must be a string'],
    ['the key __proto__', `'{"__proto__":{"method":"roots/list"}}'`, 'the key must not be "__proto__"'],
    ['deep ones', `'{"q":'.repeat(300) + '1' + '}'.repeat(300)`, 'must not be nested more than 256 levels deep'],
    [
      'many',
      `JSON.stringify(Object.fromEntries(Array.from({ length: 17 }, (_, i) => ['q' + i, { method: 'roots/list' }])))`,
      'more than 16 questions at once',
    ],
  ])('judges questions again when code bends the library to give %s', async (_what, requestsJson, words) => {
    const bent = `const { set } = WeakMap.prototype; WeakMap.prototype.set = function (key, value) {
      value.requestsJson = ${requestsJson}; return set.call(this, key, value) }; return ctx.needInput({})`;
    expect(textOf(await code.run(bent))).toContain(words);
  });

  it.each([
    ['the state', 'value.stateJson = "{"', 'the state cannot be read'],
    ['the size of the state', 'value.stateJson = "1".repeat(2e6)', 'output limit of 1000000 bytes'],
  ])('judges %s again', async (_what, bend, words) => {
    const bent = `const { set } = WeakMap.prototype; WeakMap.prototype.set = function (key, value) {
      ${bend}; return set.call(this, key, value) }; return ctx.needInput({}, 1)`;
    expect(textOf(await code.run(bent, { limits: { outputBytes: 1_000_000 } }))).toContain(words);
  });

  it.each([
    ['toJSON', 'Object.prototype.toJSON = () => 5; await ctx.roots("q")', 'the end of the call cannot be read'],
    [
      'toJSON of results',
      'Object.prototype.toJSON = () => undefined; await ctx.once("q", () => ({}))',
      'the end of the call cannot be read',
    ],
    [
      'Map.prototype.get',
      'Map.prototype.get = () => ({ result: "mine" }); return await ctx.roots("q")',
      'has the same key',
    ],
    [
      'Object.entries',
      'Object.entries = () => []; return ctx.needInput({ q: 1 })',
      'question "q": it must be an object',
    ],
    [
      'String.prototype',
      'String.prototype.toString = () => 5; return await ctx.roots({ toString: () => "q" })',
      'key must be a string',
    ],
    [
      'a key that changes',
      'let n = 0; return ctx.needInput({ get q() { return n++ ? 5 : { method: "roots/list" } } })',
      'question "q": it must be an object',
    ],
  ])('lets a change of %s be the tenant’s own problem', async (_what, source, words) => {
    expect(textOf(await code.run(source, { limits: { wallMs: 300 } }))).toContain(words);
    expect(textOf(await code.run('return "next"'))).toBe('next');
  });

  it('refuses every probe of the case file in prompts and resources too', async () => {
    const source = caseSource('sbx-escape').replace('export default', 'const probes =');
    const rest = { tenantId: 'acme', arguments: {}, context: recordedContext() };
    const read = `${source}; export default async (args) => JSON.stringify(await probes(args))`;
    const { contents } = (await code.runner.runResource({
      ...rest,
      source: read,
      resource: { uri: 'a://b' },
    })) as ResourceOutcome;
    expect(contents).toEqual([{ uri: 'a://b', text: expect.not.stringMatching(/"(object|function)"/) }]);
    const made = `${source}; export default async (args, ctx) => ({ messages: [{ role: 'user', content: ctx.content.text(JSON.stringify(await probes(args))) }] })`;
    const { messages } = (await code.runner.runPrompt({ ...rest, source: made, promptName: 'p' })) as PromptOutcome;
    expect(messages[0]?.content).toMatchObject({ text: expect.not.stringMatching(/"(object|function)"/) });
  });

  it('shares nothing between calls', async () => {
    await code.run('globalThis.left = 1; Array.prototype.left = 1; Object.freeze(Math)');
    for (let i = 0; i < 8; i++)
      expect(textOf(await code.run('return [typeof left, [].left, Object.isFrozen(Math)].map(String).join()'))).toBe(
        'undefined,undefined,false',
      );
  });

  it('gives each call its own random numbers', async () => {
    const seen = new Set<string>();
    for (let i = 0; i < 5; i++) seen.add(textOf(await code.run('return String(Math.random())')));
    expect(seen.size).toBe(5);
  });
});
