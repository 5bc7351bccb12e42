import { RunFailure } from '@gantry/mcp-core';
import { describe, expect, it } from 'vitest';
import { given, recordedContext, TestProtocolError, useCodeRunner } from '../../../../../test/support/code-runner.js';
import { converse } from '../../../../../test/support/rounds.js';
import type { PromptCodeRun } from './index.js';

const code = useCodeRunner();

const prompt = (source: string, more: Partial<PromptCodeRun> = {}) =>
  code.runner.runPrompt({ tenantId: 'acme', promptName: 'greet', arguments: {}, ...more, ...given(source, more) });

async function failure(source: string, more: Partial<PromptCodeRun> = {}): Promise<string> {
  const error = await prompt(source, more).catch((error: unknown) => error);
  if (!(error instanceof RunFailure)) throw new Error(`no RunFailure: ${String(error)}`);
  return error.message;
}

describe('a prompt by code', () => {
  it('gives its messages', async () => {
    const source = `return { description: 'A greeting', more: 1, messages: [
      { role: 'user', content: ctx.content.text('Greet ' + args.who), extra: 1 },
      { role: 'assistant', content: ctx.content.image('aGk=') } ] }`;
    expect(await prompt(source, { arguments: { who: 'Ada' } })).toEqual({
      description: 'A greeting',
      messages: [
        { role: 'user', content: { type: 'text', text: 'Greet Ada' } },
        { role: 'assistant', content: { type: 'image', data: 'aGk=', mimeType: 'image/png' } },
      ],
    });
    expect(await prompt('return { messages: [], _meta: { a: 1 } }')).toEqual({ messages: [], _meta: { a: 1 } });
  });

  it.each([
    ['return', 'the function must return {description?, messages: [{role, content}]}'],
    ['return "Greet"', 'the function must return {description?, messages: [{role, content}]}'],
    ['return [{ role: "user" }]', 'the function must return {description?, messages: [{role, content}]}'],
    ['return { messages: {} }', 'the function must return {description?, messages: [{role, content}]}'],
    ['return { messages: [], description: 5 }', 'description must be a string'],
    ['return { messages: [], _meta: 5 }', '_meta must be an object'],
    ['return { messages: [{ role: "system", content: ctx.content.text("") }] }', 'messages[0].role must be'],
    ['return { messages: [null] }', 'messages[0].role must be'],
    ['return { messages: [{ role: "user", content: "x" }] }', 'messages[0].content must be an object with a type'],
    ['return { messages: [{ role: "user", content: [] }] }', 'messages[0].content must be an object with a type'],
    ['return { messages: [{ role: "user", content: { type: "x" } }] }', 'messages[0].content.type "x" is not known'],
    ['return { messages: [{ role: "user", content: { type: "text" } }] }', 'messages[0].content.text must be a string'],
    ['return { messages: JSON.parse("[".repeat(300) + "]".repeat(300)) }', 'more than 256 levels deep'],
    ['return { messages: 1n }', 'the result cannot be sent as JSON'],
  ])('says what is wrong with "%s"', async (source, words) => {
    expect(await failure(source)).toMatch(/^Prompt "greet" failed: /);
    expect(await failure(source)).toContain(words);
  });

  it('fails with the message of what was thrown and the line of the tenant’s own source', async () => {
    const source = 'export default async (args) => {\n\n  throw new Error("no greeting");\n}';
    expect(await failure(source)).toBe('Prompt "greet" failed: Error: no greeting (line 3)');
  });

  it('rejects with the protocol error that was thrown', async () => {
    const refused = prompt('throw ctx.error(-32602, "who?", { missing: "who" })');
    await expect(refused).rejects.toEqual(new TestProtocolError(-32602, 'who?', { missing: 'who' }));
  });

  it.each([
    ['for (;;);', { cpuMs: 50 }, 'CPU time limit of 50 ms'],
    ['await ctx.sleep(1e6)', { wallMs: 50 }, 'time limit of 50 ms'],
    ['return "x".repeat(5e3)', { outputBytes: 1_000 }, 'output limit of 1000 bytes'],
  ])('names the limit that "%s" reaches', async (source, limits, words) => {
    expect(await failure(source, { limits })).toContain(`Prompt "greet" was stopped: it reached its ${words}`);
  });

  it('fails when it is cancelled, before it began and while it runs', async () => {
    const gone = recordedContext({ signal: AbortSignal.abort() });
    expect(await failure('', { context: gone })).toBe('Prompt "greet" was cancelled.');
    const controller = new AbortController();
    const context = recordedContext({ signal: controller.signal, progress: () => controller.abort() });
    expect(await failure('ctx.progress(1); await ctx.sleep(1e6)', { context })).toBe('Prompt "greet" was cancelled.');
  });

  it('asks, and keeps state in a session', async () => {
    const source = `ctx.state.asked = true; const { action } = await ctx.elicit('q', { mode: 'url', message: 'm', url: 'https://a.test' });
      return { messages: [{ role: 'user', content: ctx.content.text(action) }] }`;
    const context = recordedContext({ state: {} });
    const { outcome, asked } = await converse(
      (inputs) => prompt(source, { context: Object.assign(context, { inputs }) }),
      () => ({ result: { action: 'accept' } }),
    );
    expect(asked).toEqual([['q']]);
    expect(outcome.messages).toEqual([{ role: 'user', content: { type: 'text', text: 'accept' } }]);
    expect(context.state).toEqual({ asked: true });
  });

  it('fails for questions that cannot be asked', async () => {
    expect(await failure('return ctx.needInput({ q: { method: "ping" } })')).toContain(
      'Prompt "greet" failed: TypeError: ctx.needInput: "q": method must be one of',
    );
  });
});
