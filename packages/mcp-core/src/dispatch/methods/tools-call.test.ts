import { describe, expect, it } from 'vitest';
import { createMcpEndpoint } from '../../create-endpoint.js';
import { MCPError } from '../../jsonrpc/errors.js';
import type { RunContext, ToolCall, ToolOutcome } from '../../ports/tool-runner.js';
import { FakeClock } from '../../testing/fake-clock.js';
import { fixtureSnapshot, fixtureTool, text } from '../../testing/fixture-server.js';
import { ScriptedClient } from '../../testing/scripted-client.js';

const RESULT_LENGTH = 2_000;

type Act = (args: object, context: RunContext, call: ToolCall) => ToolOutcome | Promise<ToolOutcome>;

function calling(act: Act, options = {}) {
  const clock = new FakeClock();
  const endpoint = createMcpEndpoint({ clock, limits: { resultLength: RESULT_LENGTH } });
  const client = new ScriptedClient(endpoint, { snapshot: fixtureSnapshot([fixtureTool('t', act, options)]) });
  return {
    client,
    clock,
    call: (args = {}, meta = {}) => client.modern('tools/call', { name: 't', arguments: args }, { meta }),
  };
}

describe('tools/call', () => {
  it('answers within the call and arms no timer for a runner without promise', () => {
    const { call, clock } = calling(() => text('now'));
    expect(call().message.result.content[0].text).toBe('now');
    expect(clock.pending).toBe(0);
  });

  it('hands the tool its arguments, its caller, and only foreign _meta', () => {
    let seen: unknown;
    const { call, client } = calling(
      (args, { client: who, principal, state, signal }, { meta, requestId, sessionId }) => {
        seen = { args, who, principal, state, aborted: signal.aborted, meta, requestId, sessionId };
        return text('');
      },
    );
    call(
      { a: 1 },
      { progressToken: 1, 'example.com/trace': 'x', 'io.modelcontextprotocol/clientInfo': { name: 'c', version: '2' } },
    );
    expect(seen).toEqual({
      args: { a: 1 },
      who: { name: 'c', version: '2', revision: '2026-07-28', capabilities: {} },
      principal: client.host.principal,
      state: undefined,
      aborted: false,
      meta: { 'example.com/trace': 'x' },
      requestId: 1,
      sessionId: undefined,
    });
  });

  it('answers a protocol error of the tool as it is', () => {
    const { call } = calling(() => {
      throw new MCPError(1234, 'no such order', { order: 7 });
    });
    const answer = call();
    expect([answer.status, answer.message.error]).toEqual([
      200,
      { code: 1234, message: 'no such order', data: { order: 7 } },
    ]);
  });

  it('lets no success off the output schema pass, and names the place (SCH-11, wire B29)', () => {
    const outputSchema = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };
    const outcome = (structuredContent?: unknown) =>
      calling(() => ({ content: [], structuredContent }), { outputSchema }).call().message.result;
    expect(outcome({ id: 1 })).toMatchObject({ isError: false, structuredContent: { id: 1 } });
    expect(outcome({ id: 'x' })).toMatchObject({
      isError: true,
      content: [{ text: 'Tool t returned what its outputSchema does not allow: id: must be integer' }],
    });
    expect(outcome([])).toMatchObject({ isError: true });
    expect(outcome()).toMatchObject({
      isError: true,
      content: [{ text: 'Tool t promises structured content and returned none.' }],
    });
  });

  it('does not check failures, and drops structured content of theirs that breaks the schema (SCH-08)', () => {
    const outputSchema = { type: 'object', required: ['id'] };
    const failed = (structuredContent?: unknown, content: ToolOutcome['content'] = text('refused').content) =>
      calling(() => ({ content, structuredContent, isError: true }), { outputSchema }).call().message.result;
    expect(failed()).toMatchObject({ isError: true, content: [{ text: 'refused' }] });
    expect(failed({ status: 422 })).not.toHaveProperty('structuredContent');
    expect(failed({ status: 422 }, [])).toMatchObject({ isError: true, content: [{ text: '{"status":422}' }] });
    expect(failed({ id: 1 })).toMatchObject({ structuredContent: { id: 1 } });
  });

  it('enforces composition at the root (SCH-06)', () => {
    const inputSchema = { type: 'object' as const, anyOf: [{ required: ['id'] }, { required: ['slug'] }] };
    const { call } = calling(() => text('ran'), { inputSchema });
    expect(call({}).message.result.isError).toBe(true);
    expect(call({ slug: 'x' }).message.result.content[0].text).toBe('ran');
  });

  it('answers a result over the limit in words that name tool and limit', () => {
    const { result } = calling(() => text('x'.repeat(RESULT_LENGTH))).call().message;
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toMatch(/^The result of tool t is too large: \d+ characters; the limit is 2000\.$/);
  });

  it('answers an unusable input schema -32603 in words and does not run the tool (wire C27)', () => {
    let ran = false;
    const { call } = calling(
      () => {
        ran = true;
        return text('');
      },
      { inputSchema: { type: 'object', $schema: 'urn:other' } },
    );
    expect(call().message.error).toEqual({
      code: -32603,
      message: 'The inputSchema of tool t cannot be used: unsupported JSON Schema dialect: urn:other',
    });
    expect(ran).toBe(false);
  });

  it('drops a log message that cannot be encoded and goes on (seed P4)', async () => {
    const { call } = calling(async (_args, context) => {
      context.log('info', { big: 1n });
      context.log('info', 'fine');
      return text('done');
    });
    const answer = await call({}, { 'io.modelcontextprotocol/logLevel': 'debug' }).finished();
    expect(answer.messages.map(({ params, result }) => params?.data ?? result.content[0].text)).toEqual([
      'fine',
      'done',
    ]);
  });

  it('ends a promise at the tool’s limit and forgets what it says later', async () => {
    let finish: (outcome: ToolOutcome) => void = () => {};
    let context: RunContext | undefined;
    const { call, clock } = calling(
      (_args, given) => {
        context = given;
        return new Promise((resolve) => {
          finish = resolve;
        });
      },
      { timeoutMs: 2_000 },
    );
    const answer = call({}, { progressToken: 1, 'io.modelcontextprotocol/logLevel': 'debug' });
    clock.advance(1_999);
    expect(answer.done).toBe(false);
    clock.advance(1);
    await answer.finished();
    context?.progress(1);
    context?.log('info', 'late');
    finish(text('late'));
    await Promise.resolve();
    expect(answer.message.result).toMatchObject({ isError: true });
    expect(context?.signal.aborted).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it('refuses state that is no JSON object, or too large, and keeps the old one', async () => {
    const states: unknown[] = [{ n: 1 }, [1], 'x', { big: 1n }, { long: 'x'.repeat(1_100_000) }];
    let at = 0;
    const tool = fixtureTool(
      't',
      (_args, context) => {
        const before = JSON.stringify(context.state);
        context.state = states[at++] as Record<string, unknown>;
        return text(before);
      },
      { stateful: true },
    );
    const client = new ScriptedClient(createMcpEndpoint(), { snapshot: fixtureSnapshot([tool]) });
    await client.open();
    const answers = [];
    for (let call = 0; call < 5; call++) answers.push((await client.call('t').finished()).message);
    expect(answers[0].result.content[0].text).toBe('{}');
    for (const { error } of answers.slice(1)) {
      expect(error.code).toBe(-32603);
      expect(error.message).toContain('state of this session was not stored');
    }
    states.push({ n: 2 });
    expect((await client.call('t').finished()).message.result.content[0].text).toBe('{"n":1}');
  });
});
