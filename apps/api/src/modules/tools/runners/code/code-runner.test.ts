import { describe, expect, it } from 'vitest';
import {
  gate,
  recordedContext,
  TestProtocolError,
  textOf,
  useCodeRunner,
} from '../../../../../test/support/code-runner.js';

const code = useCodeRunner();

describe('results', () => {
  it('gives the arguments and returns what the function returns', async () => {
    const outcome = await code.run('return { got: args }', { arguments: { id: '7', list: [1, null] } });
    expect(outcome.structuredContent).toEqual({ got: { id: '7', list: [1, null] } });
    expect(await code.run('return "plain"')).toEqual({ content: [{ type: 'text', text: 'plain' }] });
    expect(await code.run('')).toEqual({ content: [] });
  });

  it('takes a function that is not async, and one that is named', async () => {
    expect(textOf(await code.run('export default () => "sync"'))).toBe('sync');
    expect(
      textOf(await code.run('const x = await 1; export default async function tool() { return "named" + x }')),
    ).toBe('named1');
  });

  it('builds content', async () => {
    const source = `return { content: [
      ctx.content.text('a'), ctx.content.image(new Uint8Array([1, 2, 3]), 'image/gif'), ctx.content.audio('AQI='),
      ctx.content.resource('docs://a', 'text', 'text/plain'), ctx.content.resource('docs://b', new Uint8Array([255])),
      ctx.content.resource({ uri: 'docs://c', text: '' }), ctx.content.link('docs://d', 'D', { title: 'Dee' }),
      ctx.content.link({ uri: 'docs://e', name: 'E' }) ] }`;
    expect((await code.run(source)).content).toEqual([
      { type: 'text', text: 'a' },
      { type: 'image', data: 'AQID', mimeType: 'image/gif' },
      { type: 'audio', data: 'AQI=', mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'docs://a', mimeType: 'text/plain', text: 'text' } },
      { type: 'resource', resource: { uri: 'docs://b', blob: '/w==' } },
      { type: 'resource', resource: { uri: 'docs://c', text: '' } },
      { type: 'resource_link', uri: 'docs://d', name: 'D', title: 'Dee' },
      { type: 'resource_link', uri: 'docs://e', name: 'E' },
    ]);
  });

  it.each([
    ['return 1n', 'BigInt'],
    ['const a = {}; a.a = a; return a', 'circular'],
    ['return () => 1', 'a function is no JSON value'],
    ['return Symbol("x")', 'a symbol is no JSON value'],
  ])('says that the result of "%s" cannot be sent', async (source, words) => {
    const outcome = await code.run(source);
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toContain('cannot be sent as JSON');
    expect(textOf(outcome)).toContain(words);
  });
});

describe('errors', () => {
  it('names the message and the line of the tenant’s own source, and nothing of ours', async () => {
    const source = 'export default async (args) => {\n  const missing = args.nothing;\n  return missing.name;\n}';
    const outcome = await code.run(source);
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toMatch(/^Tool "probe" failed: TypeError: .*\(line 3\)$/);
  });

  it.each([
    ['throw "words"', 'words'],
    ['throw { code: 4 }', '{"code":4}'],
    ['throw null', 'null'],
    ['throw Object.create(null)', '{}'],
    ['class Odd extends Error { get message() { throw 1 } }; throw new Odd()', 'cannot be shown'],
  ])('makes a tool error of "%s"', async (source, words) => {
    const outcome = await code.run(source);
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toContain(words);
  });

  it('says where a source does not parse or has no function', async () => {
    expect(textOf(await code.run('export default async () => {\n  let = ;\n}'))).toMatch(/SyntaxError: .*\(line 2\)/);
    expect(textOf(await code.run('export const a = 1'))).toContain('must export a function');
  });

  it('makes a protocol error of ctx.error only when it is thrown', async () => {
    const refused = code.run('throw ctx.error(-32602, "no such order", { id: args.id })', { arguments: { id: '9' } });
    await expect(refused).rejects.toEqual(new TestProtocolError(-32602, 'no such order', { id: '9' }));
    expect(textOf(await code.run('ctx.error(-32602, "unused"); return "fine"'))).toBe('fine');
    expect(
      (await code.run('throw Object.assign(new Error("x"), { code: -32602, name: "ProtocolError" })')).isError,
    ).toBe(true);
  });
});

describe('the context', () => {
  it('shows client and principal', async () => {
    const { structuredContent } = await code.run(
      'return { client: ctx.client, principal: ctx.principal, state: ctx.state }',
    );
    expect(structuredContent).toEqual({
      client: { name: 'probe', version: '1.2.3', revision: '2025-11-25', capabilities: { roots: {} } },
      principal: { kind: 'key', id: 'key-1', scopes: ['mcp:call'] },
    });
  });

  it('delivers every progress and log in order, all before the result', async () => {
    const context = recordedContext();
    await code.run(
      'for (let i = 0; i < 3000; i++) { ctx.progress(i, 3000); if (i === 9) ctx.log("info", { i }, "me"); if (i % 500 === 0) await ctx.sleep(1) } ctx.progress(3000, 3000, "done")',
      { context },
    );
    expect(context.notes).toHaveLength(3002);
    expect(context.notes[10]).toEqual(['log', 'info', { i: 9 }, 'me']);
    expect(context.notes.at(-1)).toEqual(['progress', 3000, 3000, 'done']);
    const done = context.notes.filter(([kind]) => kind === 'progress').map(([, value]) => value);
    expect(done).toEqual(Array.from({ length: 3001 }, (_, i) => i));
  });

  it('delivers progress while the function computes', async () => {
    const seen = gate();
    const context = recordedContext({ progress: seen.open });
    let answered = false;
    const running = code.run('for (let i = 0; ; i++) ctx.progress(i)', { context }).then(() => {
      answered = true;
    });
    await seen.opened;
    expect(answered).toBe(false);
    await running;
  });

  it('passes on change notifications and console lines', async () => {
    const context = recordedContext();
    const lines: unknown[] = [];
    await code.run(
      'ctx.resourceUpdated("docs://a"); ctx.listChanged("tools"); console.log("a", { b: 1 }, 2n); console.error(new TypeError("x"))',
      { context, onConsole: (level, line) => lines.push([level, line]) },
    );
    expect(context.notes).toEqual([
      ['resourceUpdated', 'docs://a'],
      ['listChanged', 'tools'],
    ]);
    expect(lines).toEqual([
      ['info', 'a {"b":1} 2'],
      ['error', 'TypeError: x'],
    ]);
  });

  it('closes the stream in its place among the notes, at once', async () => {
    const closed = gate();
    const context = recordedContext();
    const notes = context.notes;
    const closing = recordedContext({
      ...context,
      closeStream: (retryMs) => {
        notes.push(['closeStream', retryMs]);
        closed.open();
      },
    });
    const running = code.run(
      'ctx.progress(1); ctx.closeStream({ retryMs: 50 }); ctx.log("info", "after"); for (let i = 0; i < 1e8; i++); return "late"',
      { context: closing },
    );
    await closed.opened;
    expect(notes).toEqual([
      ['progress', 1, undefined, undefined],
      ['closeStream', 50],
    ]);
    // It computes until its limit: the stream was closed before that.
    expect(textOf(await running)).toContain('CPU time limit');
    await code.run('ctx.closeStream()', { context });
    expect(notes.at(-1)).toEqual(['closeStream', undefined]);
  });

  it('goes on with a function that would rather be a task', async () => {
    expect(textOf(await code.run('return ctx.detach(async () => { await ctx.sleep(1); return "done" })'))).toBe('done');
    expect(textOf(await code.run('return ctx.detach(() => { throw new Error("broke") })'))).toContain('broke');
  });

  it.each([
    ['ctx.progress("1")', 'done must be a number'],
    ['ctx.log("loud", 1)', 'level must be one of'],
    ['ctx.listChanged("all")', 'kind must be one of'],
    ['ctx.closeStream(5)', 'it takes an object'],
    ['ctx.closeStream({ retryMs: -1 })', 'retryMs must be a whole number'],
    ['await ctx.detach(5)', 'fn must be a function'],
    ['await ctx.sleep(-1)', 'ms must be'],
  ])('refuses %s with words', async (source, words) => {
    expect(textOf(await code.run(source))).toContain(words);
  });

  it('keeps state that was changed in place or by assignment, also when the function throws', async () => {
    const context = recordedContext({ state: { count: 1 } });
    await code.run('ctx.state.count++; ctx.state.list = [1]', { context });
    expect(context.state).toEqual({ count: 2, list: [1] });
    await code.run('ctx.state = { fresh: true }; throw new Error("late")', { context });
    expect(context.state).toEqual({ fresh: true });
  });

  it('keeps the state before the call when it cannot be stored or the call was stopped', async () => {
    const context = recordedContext({ state: { count: 1 } });
    for (const source of ['ctx.state = 5', 'ctx.state = []', 'ctx.state.a = 1n', 'ctx.state = undefined']) {
      expect(textOf(await code.run(source, { context })), source).toContain('the state cannot be stored');
    }
    expect((await code.run('ctx.state.count = 2; for (;;);', { context })).isError).toBe(true);
    expect(context.state).toEqual({ count: 1 });
  });

  it('has no state where the call has none', async () => {
    const context = recordedContext();
    await code.run('ctx.state = { a: 1 }', { context });
    expect(context.state).toBeUndefined();
  });
});

describe('checkCodeSource', () => {
  it('accepts a source with a default export and runs nothing of it', async () => {
    expect(await code.runner.checkCodeSource('for (;;); export default async () => 1')).toBeUndefined();
    expect(await code.runner.checkCodeSource('const tool = () => 1; export { tool as default }')).toBeUndefined();
  });

  it('says what is wrong and where', async () => {
    expect(await code.runner.checkCodeSource('export default async () => {\n  let x = ;\n}')).toMatchObject({
      message: expect.stringContaining('SyntaxError'),
      line: 2,
      column: expect.any(Number),
    });
    expect(await code.runner.checkCodeSource('export const a = 1')).toEqual({
      message: expect.stringContaining('no default export'),
    });
    expect(await code.runner.checkCodeSource('import fs from "node:fs"; export default () => fs')).toEqual({
      message: expect.stringContaining('import of "node:fs"'),
    });
    expect(await code.runner.checkCodeSource(`export default ${'('.repeat(100_000)}`)).toBeDefined();
  });
});
