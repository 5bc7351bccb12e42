import { describe, expect, it } from 'vitest';
import { createMcpEndpoint } from '../../create-endpoint.js';
import type { CallRecord } from '../../dispatch/host.js';
import { FakeClock } from '../../testing/fake-clock.js';
import { fixtureSnapshot, fixtureTool, fixtureTools, Gate, text } from '../../testing/fixture-server.js';
import { ScriptedClient } from '../../testing/scripted-client.js';

const SERVER_INFO = { 'io.modelcontextprotocol/serverInfo': { name: 'fixture', version: '1.0.0', title: 'Fixture' } };
const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

function setUp() {
  const clock = new FakeClock();
  const gate = new Gate();
  let ran = 0;
  const effect = fixtureTool('effect', () => text(String(++ran)));
  const snapshot = fixtureSnapshot([...fixtureTools(gate), effect]);
  const records: CallRecord[] = [];
  const client = new ScriptedClient(createMcpEndpoint({ clock }), {
    snapshot,
    host: { hooks: { afterCall: (record) => records.push(record) } },
  });
  return { client, clock, gate, records, effects: () => ran };
}

describe('2026-07-28: results', () => {
  it('answers a tool call with one JSON body within the call (MOD-05, wire C20)', () => {
    const answer = setUp().client.modern('tools/call', { name: 'add', arguments: { a: 1, b: 2 } }, { id: 'x' });
    expect(answer.status).toBe(200);
    expect(answer.headers).toEqual({});
    expect(answer.message).toEqual({
      jsonrpc: '2.0',
      id: 'x',
      result: { resultType: 'complete', content: [{ type: 'text', text: '3' }], isError: false, _meta: SERVER_INFO },
    });
  });

  it('discovers what is really served (wire C21)', () => {
    const { result } = setUp().client.modern('server/discover').message;
    expect(result).toEqual({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: true }, logging: {} },
      instructions: 'Use the tools.',
      ttlMs: 0,
      cacheScope: 'private',
      resultType: 'complete',
      _meta: SERVER_INFO,
    });
  });

  it('lists tools with cache hints and envelope (wire C22)', () => {
    const { result } = setUp().client.modern('tools/list').message;
    expect(result).toMatchObject({ ttlMs: 0, cacheScope: 'private', resultType: 'complete', _meta: SERVER_INFO });
    expect(result.tools[0]).toEqual({
      name: 'add',
      title: 'Add',
      description: 'add of the fixture server',
      inputSchema: {
        type: 'object',
        properties: { a: { type: 'number' }, b: { type: 'number' } },
        required: ['a', 'b'],
      },
    });
    expect(result.nextCursor).toBeUndefined();
  });

  it('carries structured content of any JSON type, with a text copy (wire C27)', () => {
    const { client } = setUp();
    for (const value of [[1, 2], 'x', 0, null, { a: 1 }]) {
      const { result } = client.modern('tools/call', { name: 'structured', arguments: { value } }).message;
      expect(result.structuredContent).toEqual(value);
      expect(result.content).toEqual([{ type: 'text', text: JSON.stringify(value) }]);
    }
  });

  it('keeps id and its JSON type (RPC-01)', () => {
    const { client } = setUp();
    for (const id of ['1', 1, 0, '', 'a/b', -5]) {
      expect(client.modern('tools/call', { name: 'boom' }, { id }).message.id).toBe(id);
    }
  });

  it('never emits a session id and ignores one it is sent (wire C8, MOD-04)', () => {
    const answer = setUp().client.modern(
      'tools/list',
      {},
      { headers: { 'mcp-session-id': 'made-up', 'last-event-id': 'x.1' } },
    );
    expect(answer.status).toBe(200);
    expect(answer.headers).not.toHaveProperty('mcp-session-id');
  });

  it('runs a stateful tool without state and without turns', async () => {
    const { client, gate } = setUp();
    const first = client.modern('tools/call', { name: 'count_and_block' });
    const second = client.modern('tools/call', { name: 'count_and_block' });
    await gate.entered(2);
    gate.open();
    expect((await first.finished()).message.result.content[0].text).toBe('undefined');
    await second.finished();
  });

  it('replaces halves of surrogate pairs in values, keys and errors (PAY-01)', () => {
    const { client } = setUp();
    const answer = client.modern('tools/call', {
      name: 'structured',
      arguments: { value: { '\udc00k': 'a\ud800b\\ud800 😀' } },
    });
    expect(answer.message.result.structuredContent).toEqual({ '\ufffdk': 'a\ufffdb\\ud800 😀' });
    const refused = client.raw(
      'POST',
      {
        'content-type': 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': '=?base64?7aCA?=',
      },
      `{"jsonrpc":"2.0","id":"\\ud800","method":"tools/call","params":{"name":"boom","_meta":{"${VERSION}":"2026-07-28","${CAPABILITIES}":{}}}}`,
    );
    expect(refused.status).toBe(400);
  });
});

describe('2026-07-28: the ladder', () => {
  it('refuses a missing envelope and never falls back to sessions (wire C1, MOD-11)', () => {
    const { client } = setUp();
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
    for (const params of [undefined, {}, { _meta: {} }, { _meta: { [CAPABILITIES]: {} } }]) {
      const answer = client.post({ jsonrpc: '2.0', id: 7, method: 'tools/list', params }, headers);
      expect([answer.status, answer.message.id, answer.message.error.code]).toEqual([400, 7, -32602]);
      expect(answer.message.error.message).toContain(VERSION);
    }
  });

  it('wants clientCapabilities as an object and no clientInfo (wire C1)', () => {
    const { client } = setUp();
    for (const capabilities of [undefined, null, [], 'all']) {
      const answer = client.modern('tools/list', {}, { meta: { [CAPABILITIES]: capabilities } });
      expect([answer.status, answer.message.error.code]).toEqual([400, -32602]);
    }
    expect(client.modern('tools/list').status).toBe(200);
  });

  it('refuses a version header that is missing or says something else (wire C2, MOD-01)', () => {
    const { client } = setUp();
    for (const version of [undefined, '2025-11-25', '2099-01-01', ['2026-07-28', '2026-07-28']]) {
      const answer = client.modern('tools/list', {}, { headers: { 'mcp-protocol-version': version } });
      expect([answer.status, answer.message.error.code]).toEqual([400, -32020]);
    }
  });

  it('names what it serves to a client of an unknown revision (wire C3, MOD-11)', () => {
    const { client } = setUp();
    for (const version of ['2099-01-01', '2025-11-25', 'next']) {
      const answer = client.modern(
        'anything',
        {},
        { headers: { 'mcp-protocol-version': version }, meta: { [VERSION]: version }, id: 'q' },
      );
      expect([answer.status, answer.message.id, answer.message.error.code]).toEqual([400, 'q', -32022]);
      expect(answer.message.error.data).toEqual({ supported: ['2026-07-28'], requested: version });
    }
  });

  it('compares Mcp-Method by value, letter case included, padding aside (wire C4)', () => {
    const { client } = setUp();
    for (const method of [undefined, 'tools/call', 'Tools/List', ['tools/list', 'tools/list']]) {
      const answer = client.modern('tools/list', {}, { headers: { 'mcp-method': method } });
      expect([answer.status, answer.message.error.code]).toEqual([400, -32020]);
    }
    expect(client.modern('tools/list', {}, { headers: { 'mcp-method': '  tools/list\t' } }).status).toBe(200);
  });

  it('compares Mcp-Name, decodes its base64 form, and runs no tool on a mismatch (wire C5, MOD-01, MOD-02)', () => {
    const { client, effects } = setUp();
    const encoded = `=?base64?${Buffer.from('effect').toString('base64')}?=`;
    const bad = [
      undefined,
      'other',
      'Effect',
      ['effect', 'effect'],
      '=?BASE64?ZWZmZWN0?=',
      '=?base64?ZWZmZWN?=',
      '=?base64?ZWZmZWN0',
      '=?base64?/w==?=',
      'efféct',
      '\u00a0effect',
    ];
    for (const name of bad) {
      const answer = client.modern('tools/call', { name: 'effect' }, { headers: { 'mcp-name': name } });
      expect([name, answer.status, answer.message.error.code]).toEqual([name, 400, -32020]);
    }
    expect(effects()).toBe(0);
    expect(client.modern('tools/call', { name: 'effect' }, { headers: { 'mcp-name': encoded } }).status).toBe(200);
    expect(client.modern('tools/call', { name: 'effect' }, { headers: { 'mcp-name': ' effect ' } }).status).toBe(200);
  });

  it('answers methods outside its table 404 with the id (wire C7)', () => {
    const { client } = setUp();
    for (const method of [
      'initialize',
      'ping',
      'logging/setLevel',
      'resources/subscribe',
      'tasks/list',
      'prompts/list',
      'constructor',
    ]) {
      const answer = client.modern(method, {}, { id: 'm' });
      expect([method, answer.status, answer.message.id, answer.message.error.code]).toEqual([method, 404, 'm', -32601]);
    }
  });

  it('refuses malformed progress tokens and log levels before the tool runs (PRG-06)', () => {
    const { client, effects } = setUp();
    for (const progressToken of [{}, [], true, null, 1.5]) {
      const answer = client.modern('tools/call', { name: 'effect' }, { meta: { progressToken } });
      expect([answer.status, answer.message.error.code]).toEqual([400, -32602]);
    }
    const answer = client.modern('tools/call', { name: 'effect' }, { meta: { [LOG_LEVEL]: 'loud' } });
    expect([answer.status, answer.message.error.code]).toEqual([400, -32602]);
    expect(effects()).toBe(0);
  });

  it('answers bad params, unknown tools and bad cursors in-band, as 200', () => {
    const { client } = setUp();
    for (const args of [[], 'text', 5]) {
      const answer = client.modern('tools/call', { name: 'add', arguments: args });
      expect([answer.status, answer.message.error.code]).toEqual([200, -32602]);
    }
    const unknown = client.modern('tools/call', { name: 'nope' });
    expect([unknown.status, unknown.message.error]).toEqual([200, { code: -32602, message: 'Unknown tool: nope' }]);
    for (const cursor of ['zzz', '', 5]) {
      const answer = client.modern('tools/list', { cursor });
      expect([answer.status, answer.message.error.code]).toEqual([200, -32602]);
    }
  });

  it('refuses arrays and posted responses, and accepts notifications (wire C9)', () => {
    const { client } = setUp();
    const headers = { 'mcp-protocol-version': '2026-07-28' };
    expect(client.post([], headers).message.error.code).toBe(-32600);
    const response = client.post({ jsonrpc: '2.0', id: 1, result: {} }, headers);
    expect([response.status, response.message.error.code]).toEqual([400, -32600]);
    const notification = client.post(
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      headers,
    );
    expect([notification.status, notification.body]).toEqual([202, undefined]);
  });

  it('answers GET and DELETE 405 with Allow (wire C8, HTTP-01)', async () => {
    const { client } = setUp();
    for (const method of ['GET', 'DELETE']) {
      const answer = await client
        .raw(method, { 'mcp-protocol-version': '2026-07-28', 'content-type': 'text/plain' })
        .finished();
      expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
    }
  });

  it('answers with the status and challenge the host chose, once the tool is known to exist (AUTH-06)', () => {
    const { client, effects, records } = setUp();
    const refusal = {
      status: 403,
      code: 1403,
      message: 'mcp:call is needed',
      headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' },
    };
    client.host = {
      ...client.host,
      hooks: { ...client.host.hooks, authorize: (method) => (method === 'tools/call' ? refusal : undefined) },
    };
    const answer = client.modern('tools/call', { name: 'effect' });
    expect([answer.status, answer.message.error.code]).toEqual([403, 1403]);
    expect(answer.headers['www-authenticate']).toBe('Bearer error="insufficient_scope"');
    expect(client.modern('tools/call', { name: 'nope' }).message.error.code).toBe(-32602);
    expect(client.modern('tools/list').status).toBe(200);
    expect(effects()).toBe(0);
    expect(records.map(({ status, admitted }) => [status, admitted])).toEqual([
      ['refused', false],
      ['error', false],
      ['ok', true],
    ]);
  });

  it('waits for a limit that has to be asked, and answers 429', async () => {
    const { client, effects } = setUp();
    let full = true;
    const refusal = { status: 429, code: 1429, message: 'Too many calls', headers: { 'retry-after': '7' } };
    client.host = { ...client.host, hooks: { beforeCall: async () => (full ? refusal : undefined) } };
    const refused = await client.modern('tools/call', { name: 'effect' }).finished();
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '7']);
    full = false;
    expect((await client.modern('tools/call', { name: 'effect' }).finished()).status).toBe(200);
    expect(effects()).toBe(1);
  });

  it('runs nothing for a client that left while limits were asked, and tells the host that it is over (wire C26)', async () => {
    const { client, effects, records } = setUp();
    let decide: (refusal: undefined) => void = () => {};
    const verdict = new Promise<undefined>((resolve) => {
      decide = resolve;
    });
    client.host = { ...client.host, hooks: { ...client.host.hooks, beforeCall: () => verdict } };
    const answer = client.modern('tools/call', { name: 'effect' });
    answer.disconnect();
    expect(records).toEqual([]);
    decide(undefined);
    await verdict;
    await new Promise((resolve) => setImmediate(resolve));
    expect(effects()).toBe(0);
    expect(records.map(({ status, admitted }) => [status, admitted])).toEqual([['cancelled', true]]);
  });
});

describe('2026-07-28: mirrored arguments', () => {
  const inputSchema = {
    type: 'object' as const,
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      limit: { type: 'integer', 'x-mcp-header': 'Limit' },
      deep: { type: 'object', properties: { dry: { type: 'boolean', 'x-mcp-header': 'Dry' } } },
    },
  };
  function regional() {
    let ran = 0;
    const tool = fixtureTool('regional', () => text(String(++ran)), { inputSchema });
    const client = new ScriptedClient(createMcpEndpoint(), { snapshot: fixtureSnapshot([tool]) });
    const call = (args: object, headers: Record<string, string | string[]>) =>
      client.modern('tools/call', { name: 'regional', arguments: args }, { headers });
    return { call, ran: () => ran };
  }

  it('accepts headers that agree with the arguments (wire C6, MOD-12)', () => {
    const { call } = regional();
    const good: Array<[object, Record<string, string>]> = [
      [{}, {}],
      [{ region: null }, {}],
      [{ region: 'eu' }, { 'mcp-param-region': ' eu ' }],
      [{ region: 'ü' }, { 'mcp-param-region': '=?base64?w7w=?=' }],
      [{ limit: 42 }, { 'mcp-param-limit': '42.0' }],
      [{ deep: { dry: true } }, { 'mcp-param-dry': 'true' }],
      [{ region: 'eu' }, { 'mcp-param-region': 'eu', 'mcp-param-unknown': 'x' }],
    ];
    for (const [args, headers] of good) {
      const answer = call(args, headers);
      // A null argument agrees with no header; whether the schema takes null is another question.
      expect([args, answer.status]).toEqual([args, 200]);
    }
  });

  it('refuses headers that are missing, broken or different, without running the tool (wire C6, MOD-12)', () => {
    const { call, ran } = regional();
    const bad: Array<[object, Record<string, string | string[]>]> = [
      [{ region: 'eu' }, {}],
      [{ region: 'eu' }, { 'mcp-param-region': 'us' }],
      [{ region: 'eu' }, { 'mcp-param-region': 'EU' }],
      [{ region: 'eu' }, { 'mcp-param-region': ['eu', 'eu'] }],
      [{ region: 'eu' }, { 'mcp-param-region': '=?base64?!!?=' }],
      [{ region: 'ü' }, { 'mcp-param-region': 'ü' }],
      [{ limit: 42 }, { 'mcp-param-limit': '43' }],
      [{ limit: 42 }, { 'mcp-param-limit': 'many' }],
      [{ deep: { dry: true } }, { 'mcp-param-dry': 'True' }],
      [{}, { 'mcp-param-region': 'eu' }],
    ];
    for (const [args, headers] of bad) {
      const answer = call(args, headers);
      expect([args, headers, answer.status, answer.message.error?.code]).toEqual([args, headers, 400, -32020]);
    }
    expect(ran()).toBe(0);
  });
});

describe('2026-07-28: streams', () => {
  it('opens a stream only when something precedes the answer, without ids (wire C10)', async () => {
    const { client } = setUp();
    const answer = await client
      .modern('tools/call', { name: 'progress' }, { meta: { progressToken: 'p' }, id: 4 })
      .finished();
    expect(answer.status).toBe(200);
    expect(answer.headers).toEqual({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(answer.frames.every(({ id }) => id === undefined)).toBe(true);
    expect(answer.messages.map(({ params, result }) => params ?? result.content[0].text)).toEqual([
      { progressToken: 'p', progress: 1, total: 3, message: 'step 1' },
      { progressToken: 'p', progress: 2, total: 3, message: 'step 2' },
      { progressToken: 'p', progress: 3, total: 3, message: 'step 3' },
      'done',
    ]);
    const silent = await client.modern('tools/call', { name: 'progress' }).finished();
    expect(silent.streaming).toBe(false);
  });

  it('sends log messages only to requests that name a level, at or above it (wire C24)', async () => {
    const { client } = setUp();
    const call = (level: string, wanted?: string) =>
      client
        .modern('tools/call', { name: 'log', arguments: { level } }, { meta: wanted ? { [LOG_LEVEL]: wanted } : {} })
        .finished();
    expect((await call('emergency')).streaming).toBe(false);
    expect((await call('info', 'warning')).streaming).toBe(false);
    expect((await call('error', 'warning')).messages[0]).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level: 'error', logger: 'fixture', data: 'hello' },
    });
  });

  it('answers with a stream of one message when JSON is excluded, and without notifications when streams are (HTTP-02, seed J2)', async () => {
    const { client } = setUp();
    const stream = client.modern('tools/call', { name: 'boom' }, { headers: { accept: 'text/event-stream' } });
    expect([stream.streaming, stream.messages.length, stream.done]).toEqual([true, 1, true]);
    const json = await client
      .modern(
        'tools/call',
        { name: 'progress' },
        { headers: { accept: 'application/json' }, meta: { progressToken: 1 } },
      )
      .finished();
    expect(json.message.result.content[0].text).toBe('done');
  });

  it('takes a disconnect for a cancel: the signal fires and nothing more is written (wire C26, CAN-03, seed O2)', async () => {
    const { client, gate, records, clock } = setUp();
    const answer = client.modern('tools/call', { name: 'speak_and_block' }, { meta: { [LOG_LEVEL]: 'debug' } });
    await gate.entered();
    expect(answer.messages).toHaveLength(1);
    answer.disconnect();
    expect(gate.signals[0]?.aborted).toBe(true);
    gate.open();
    await Promise.resolve();
    expect(answer.messages).toHaveLength(1);
    expect(records.map(({ status }) => status)).toEqual(['cancelled']);
    expect(clock.pending).toBe(0);
  });

  it('cancels a call whose pending JSON answer is given up', async () => {
    const { client, gate, records } = setUp();
    const answer = client.modern('tools/call', { name: 'block' });
    await gate.entered();
    answer.disconnect();
    expect(gate.signals[0]?.aborted).toBe(true);
    expect(records.map(({ status }) => status)).toEqual(['cancelled']);
    expect(answer.status).toBeUndefined();
  });

  it('keeps two requests with one id apart (wire C11)', async () => {
    const { client, gate } = setUp();
    const slow = client.modern('tools/call', { name: 'block' }, { id: 1 });
    await gate.entered();
    expect(
      client.modern('tools/call', { name: 'add', arguments: { a: 1, b: 1 } }, { id: 1 }).message.result.content[0].text,
    ).toBe('2');
    gate.open();
    expect((await slow.finished()).message.result.content[0].text).toBe('let through');
  });

  it('sends comments while a stream is silent (SSE-01)', async () => {
    const { client, gate, clock } = setUp();
    const answer = client.modern('tools/call', { name: 'speak_and_block' }, { meta: { [LOG_LEVEL]: 'debug' } });
    await gate.entered();
    clock.advance(14_999);
    expect(answer.frames).toHaveLength(1);
    clock.advance(1);
    expect(answer.frames.at(-1)).toEqual({ comment: 'keep-alive' });
    gate.open();
    await answer.finished();
    expect(clock.pending).toBe(0);
  });

  it('cuts off a reader that does not read', async () => {
    const { client } = setUp();
    const answer = client.modern(
      'tools/call',
      { name: 'progress', arguments: { steps: 10 } },
      { meta: { progressToken: 1 } },
    );
    await answer.until(() => answer.messages.length === 1);
    answer.queuedBytes = 2 * 1024 * 1024;
    await answer.finished();
    expect(answer.response).toBeUndefined();
  });
});
