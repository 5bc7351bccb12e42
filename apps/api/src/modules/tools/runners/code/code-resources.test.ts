import { InputNeeded, RunFailure } from '@gantry/mcp-core';
import { describe, expect, it } from 'vitest';
import { given, TestProtocolError, useCodeRunner } from '../../../../../test/support/code-runner.js';
import type { ResourceCodeRun } from './index.js';

const code = useCodeRunner();

const asked = { uri: 'orders://7', mimeType: 'application/json' };
const read = (source: string, more: Partial<ResourceCodeRun> = {}) =>
  code.runner.runResource({ tenantId: 'acme', resource: asked, arguments: {}, ...more, ...given(source, more) });

async function failure(source: string, more: Partial<ResourceCodeRun> = {}): Promise<string> {
  const error = await read(source, more).catch((error: unknown) => error);
  if (!(error instanceof RunFailure)) throw new Error(`no RunFailure: ${String(error)}`);
  return error.message;
}

describe('a resource by code', () => {
  it('makes one text of the asked URI from a string', async () => {
    expect(await read('return JSON.stringify({ order: args.id })', { arguments: { id: '7' } })).toEqual({
      contents: [{ uri: 'orders://7', mimeType: 'application/json', text: '{"order":"7"}' }],
    });
    const resource = { uri: 'docs://readme' };
    expect(await read('return ""', { resource })).toEqual({ contents: [{ uri: 'docs://readme', text: '' }] });
  });

  it('takes contents as they are', async () => {
    const source = `return { _meta: { a: 1 }, contents: [
      { uri: 'a://1', text: '', mimeType: 'text/plain', _meta: {} }, { uri: 'a://2', blob: '' },
      ctx.content.resource('a://3', new Uint8Array([1, 2]), 'image/gif').resource ] }`;
    expect(await read(source)).toEqual({
      contents: [
        { uri: 'a://1', text: '', mimeType: 'text/plain', _meta: {} },
        { uri: 'a://2', blob: '' },
        { uri: 'a://3', blob: 'AQI=', mimeType: 'image/gif' },
      ],
      _meta: { a: 1 },
    });
  });

  it('passes a large blob', async () => {
    const source = 'return { contents: [{ uri: "a://1", blob: "AAAA".repeat(2e6) }] }';
    const outcome = await read(source, { limits: { cpuMs: 10_000 } });
    expect(JSON.stringify(outcome)).toHaveLength('{"contents":[{"uri":"a://1","blob":""}]}'.length + 8e6);
  });

  it.each([
    ['return', 'the function must return a string or {contents: [{uri, text or blob}]}'],
    ['return 5', 'the function must return a string or {contents: [{uri, text or blob}]}'],
    ['return { text: "x" }', 'the function must return a string or {contents: [{uri, text or blob}]}'],
    ['return { contents: "x" }', 'the function must return a string or {contents: [{uri, text or blob}]}'],
    ['return { contents: [] }', 'contents must hold at least one entry'],
    ['return { contents: ["x"] }', 'contents[0] must be an object'],
    ['return { contents: [{ text: "x" }] }', 'contents[0].uri must be a string'],
    ['return { contents: [{ uri: "a://1" }] }', 'contents[0] must have either text or blob'],
    ['return { contents: [{ uri: "a://1", text: "x", blob: "" }] }', 'contents[0] must have either text or blob'],
    ['return { contents: [{ uri: "a://1", text: 5 }] }', 'contents[0].text must be a string'],
    ['return { contents: [{ uri: "a://1", blob: "a" }] }', 'contents[0].blob must be a base64 string'],
    ['return { contents: [{ uri: "a://1", blob: new Uint8Array(3) }] }', 'contents[0].blob must be a base64 string'],
    ['return { contents: [{ uri: "a://1", text: "", mimeType: 5 }] }', 'contents[0].mimeType must be a string'],
    ['return { contents: [{ uri: "a://1", text: "", _meta: 5 }] }', 'contents[0]._meta must be an object'],
    ['return { contents: [{ uri: "a://1", text: "" }], _meta: 5 }', '_meta must be an object'],
    ['return { contents: JSON.parse("[".repeat(300) + "]".repeat(300)) }', 'more than 256 levels deep'],
  ])('says what is wrong with "%s"', async (source, words) => {
    const message = await failure(source);
    expect(message).toMatch(/^Resource "orders:\/\/7" failed: /);
    expect(message).toContain(words);
  });

  it('fails with what was thrown, at a limit, and with the protocol error of ctx.error', async () => {
    expect(await failure('export default () => {\n  throw new Error("gone") }')).toBe(
      'Resource "orders://7" failed: Error: gone (line 2)',
    );
    expect(await failure('for (;;);', { limits: { cpuMs: 50 } })).toBe(
      'Resource "orders://7" was stopped: it reached its CPU time limit of 50 ms.',
    );
    await expect(read('throw ctx.error(-32002, "no order 7")')).rejects.toEqual(
      new TestProtocolError(-32002, 'no order 7', undefined),
    );
  });

  it('asks', async () => {
    expect(await read('return await ctx.roots("q")')).toEqual(new InputNeeded({ q: { method: 'roots/list' } }));
  });
});
