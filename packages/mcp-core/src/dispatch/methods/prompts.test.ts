import { describe, expect, it } from 'vitest';
import { createMcpEndpoint } from '../../create-endpoint.js';
import { MCPError } from '../../jsonrpc/errors.js';
import { LEGACY_REVISIONS, MODERN_REVISIONS } from '../../protocol/revisions.js';
import { FakeClock } from '../../testing/fake-clock.js';
import { fixturePrompt, fullSnapshot, says } from '../../testing/fixture-offers.js';
import { fixtureSnapshot } from '../../testing/fixture-server.js';
import type { Json } from '../../testing/json.js';
import { ScriptedClient } from '../../testing/scripted-client.js';

const RESULT_LENGTH = 2_000;
const REVISIONS = [...LEGACY_REVISIONS, ...MODERN_REVISIONS];

async function clientOf(revision: string, snapshot = fullSnapshot()) {
  const clock = new FakeClock();
  const endpoint = createMcpEndpoint({ clock, limits: { resultLength: RESULT_LENGTH } });
  const client = new ScriptedClient(endpoint, { snapshot });
  const modern = MODERN_REVISIONS.includes(revision as never);
  if (!modern) await client.open(revision);
  const start = (method: string, params: Record<string, Json> = {}) =>
    modern ? client.modern(method, params) : client.request(method, params);
  const ask = async (method: string, params: Record<string, Json> = {}) => {
    const answer = await start(method, params).finished();
    return { status: answer.status, ...answer.response };
  };
  return { client, clock, ask, start };
}

describe.each(REVISIONS)('prompts in %s', (revision) => {
  it('lists prompts page by page, in the document’s order (seed E1, seed H1, wire B30)', async () => {
    const { ask } = await clientOf(revision, fullSnapshot({ pageSize: 2 }));
    const names: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const { result } = await ask('prompts/list', { cursor });
      expect(result.prompts.length).toBeLessThanOrEqual(2);
      names.push(...result.prompts.map(({ name }: Json) => name));
      cursor = result.nextCursor;
      pages++;
    } while (cursor !== undefined);
    expect(names).toEqual(['greet', 'simple', 'boom', 'crash', 'unencodable', 'progress', 'count', 'block']);
    expect(pages).toBe(4);
  });

  it('refuses cursors of other lists and no cursors at all (seed H2, wire B30)', async () => {
    const { ask } = await clientOf(revision, fullSnapshot({ pageSize: 2 }));
    const { nextCursor } = (await ask('tools/list')).result;
    for (const cursor of [nextCursor, 'x', '', 1, null]) {
      expect((await ask('prompts/list', { cursor })).error.code).toBe(-32602);
    }
  });

  it('gets a prompt with its arguments (seed E2)', async () => {
    const { ask } = await clientOf(revision);
    const { result } = await ask('prompts/get', { name: 'greet', arguments: { who: 'Ada' } });
    expect(result.messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Hello, Ada!' } }]);
    expect((await ask('prompts/get', { name: 'simple' })).result.description).toBe('made now');
  });

  it('refuses what is missing, unknown or no string, and names it (seed E2)', async () => {
    const { ask } = await clientOf(revision);
    const refusals: [Record<string, Json>, string][] = [
      [{}, 'name must be a string'],
      [{ name: 7 }, 'name must be a string'],
      [{ name: 'nobody' }, 'Unknown prompt: nobody'],
      [{ name: 'greet' }, 'arguments.who is required by prompt greet'],
      [{ name: 'greet', arguments: [] }, 'arguments must be an object'],
      [{ name: 'greet', arguments: { who: 5 } }, 'arguments.who must be a string'],
      [{ name: 'greet', arguments: { who: 'x', tone: null } }, 'arguments.tone must be a string'],
    ];
    for (const [params, words] of refusals) {
      const { status, error } = await ask('prompts/get', params);
      expect([status, error.code]).toEqual([200, -32602]);
      expect(error.message).toContain(words);
    }
  });

  it('tells a failure in the words of the prompt, and nothing of a crash (seed E2)', async () => {
    const { ask } = await clientOf(revision);
    expect((await ask('prompts/get', { name: 'boom' })).error).toEqual({
      code: -32602,
      message: 'the backend said no',
    });
    for (const name of ['crash', 'unencodable']) {
      const { error } = await ask('prompts/get', { name });
      expect(error.code).toBe(-32603);
      expect(error.message).not.toContain('secret');
    }
  });

  it.each([{}, 'text', 7])('answers -32603 when a runner gives %j, which is no prompt', async (outcome) => {
    const prompt = fixturePrompt('odd', () => outcome as never);
    const { ask } = await clientOf(revision, fixtureSnapshot([], {}, { prompts: [prompt] }));
    expect((await ask('prompts/get', { name: 'odd' })).error).toEqual({ code: -32603, message: 'Internal error' });
  });

  it('names the limit when a prompt takes too long', async () => {
    const { start, clock } = await clientOf(revision);
    const answer = start('prompts/get', { name: 'block' });
    clock.advance(5_000);
    expect((await answer.finished()).response.error).toEqual({
      code: -32602,
      message: 'Prompt block was stopped: its time limit of 5000 ms is over.',
    });
  });

  it('answers a result over the limit with an error that names it', async () => {
    const long = fixturePrompt('long', () => says('x'.repeat(RESULT_LENGTH)));
    const { ask } = await clientOf(revision, fixtureSnapshot([], {}, { prompts: [long] }));
    const { error } = await ask('prompts/get', { name: 'long' });
    expect(error.code).toBe(-32603);
    expect(error.message).toMatch(/^The result of prompt long is too large: \d+ characters; the limit is 2000\.$/);
  });

  it('answers a protocol error of a prompt as it is', async () => {
    const prompt = fixturePrompt('t', () => {
      throw new MCPError(1234, 'not here', { n: 1 });
    });
    const { ask } = await clientOf(revision, fixtureSnapshot([], {}, { prompts: [prompt] }));
    expect((await ask('prompts/get', { name: 't' })).error).toEqual({
      code: 1234,
      message: 'not here',
      data: { n: 1 },
    });
  });
});

describe('prompts/get', () => {
  it('tells progress and log messages on its own stream (wire C24)', async () => {
    const { client } = await clientOf('2026-07-28');
    const get = (meta: object) => client.modern('prompts/get', { name: 'progress' }, { meta }).finished();
    const told = await get({ progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'info' });
    expect(told.messages.map(({ method, params }) => params?.progress ?? params?.data ?? method)).toEqual([
      1,
      'step 1',
      2,
      'step 2',
      undefined,
    ]);
    const silent = await get({});
    expect(silent.streaming).toBe(false);
  });

  it('lets stateful prompts of a session take turns with its state, and none outside (seed E2)', async () => {
    const { ask } = await clientOf('2025-11-25');
    const answers = await Promise.all([1, 2, 3].map(() => ask('prompts/get', { name: 'count' })));
    expect(answers.map(({ result }) => result.messages[0].content.text)).toEqual(['1', '2', '3']);
    const modern = await clientOf('2026-07-28');
    for (let time = 0; time < 2; time++) {
      expect((await modern.ask('prompts/get', { name: 'count' })).result.messages[0].content.text).toBe('1');
    }
  });

  it('asks for rights when the prompt is known, and for the name in Mcp-Name (wire C5, MOD-02)', async () => {
    const asked: unknown[] = [];
    const refusal = { status: 403, code: -32600, message: 'no' };
    const authorize = (method: string, params: object) => {
      asked.push([method, params]);
      return refusal;
    };
    const prompts = [fixturePrompt('設計 plan', () => says('x'))];
    const snapshot = fixtureSnapshot([], {}, { prompts });
    const client = new ScriptedClient(createMcpEndpoint(), { snapshot, host: { hooks: { authorize } } });
    const get = (name: string, headers = {}) => client.modern('prompts/get', { name }, { headers }).finished();
    expect((await get('unknown')).message.error.code).toBe(-32602);
    expect((await get('設計 plan')).status).toBe(403);
    expect(asked).toMatchObject([['prompts/get', { name: '設計 plan' }]]);
    expect((await get('設計 plan', { 'mcp-name': 'other' })).message.error.code).toBe(-32020);
  });
});
