import { describe, expect, it } from 'vitest';
import { createMcpEndpoint } from '../../create-endpoint.js';
import type { ServerSettings } from '../../ports/catalogue.js';
import { FakeClock } from '../../testing/fake-clock.js';
import { fixtureSnapshot, fixtureTools, Gate } from '../../testing/fixture-server.js';
import { sessionsOf } from '../../testing/list-sessions.js';
import { ScriptedClient } from '../../testing/scripted-client.js';

function setUp(settings: Partial<ServerSettings> = {}) {
  const clock = new FakeClock();
  const gate = new Gate();
  const snapshot = fixtureSnapshot(fixtureTools(gate), settings);
  const endpoint = createMcpEndpoint({ clock });
  return { client: new ScriptedClient(endpoint, { snapshot }), clock, gate, endpoint, snapshot };
}

/** Lets everything that is ready happen. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

describe('opening a session', () => {
  it('issues a random id of visible ASCII, different each time (wire B1, seed M1)', async () => {
    const { client } = setUp();
    const first = (await client.open()).headers['mcp-session-id'];
    const second = (await client.open()).headers['mcp-session-id'];
    expect(first).toMatch(/^[\x21-\x7e]{32,}$/);
    expect(first).not.toBe(second);
  });

  it('issues the id also when the answer has to be a stream', () => {
    const { client } = setUp();
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
    const answer = client.post(
      { jsonrpc: '2.0', id: 0, method: 'initialize', params },
      { accept: 'text/event-stream' },
    );
    expect(answer.headers['mcp-session-id']).toMatch(/^[\x21-\x7e]{32,}$/);
    expect(answer.messages[0].result.protocolVersion).toBe('2025-06-18');
  });

  it('echoes a served version and offers the newest for any other (seed B4, wire B20, HTTP-07)', async () => {
    const { client } = setUp();
    const offers: Array<[unknown, string]> = [
      ['2025-03-26', '2025-03-26'],
      ['2025-06-18', '2025-06-18'],
      ['2025-11-25', '2025-11-25'],
      ['2024-11-05', '2024-11-05'],
      ['2024-10-07', '2025-11-25'],
      ['2026-07-28', '2025-11-25'],
      ['2031-01-01', '2025-11-25'],
      [undefined, '2025-11-25'],
      [7, '2025-11-25'],
    ];
    for (const [asked, offered] of offers) {
      const params = { protocolVersion: asked, capabilities: {}, clientInfo: { name: 'c', version: '1' } };
      const answer = client.post(
        { jsonrpc: '2.0', id: 0, method: 'initialize', params },
        { 'mcp-protocol-version': '2024-01-01' },
      );
      expect([asked, answer.status, answer.message.result.protocolVersion]).toEqual([asked, 200, offered]);
    }
  });

  it('keeps of a client no more than a session can afford (MEM-01)', async () => {
    const { client, endpoint } = setUp();
    const open = (length: number) =>
      client.post({
        jsonrpc: '2.0',
        id: 0,
        method: 'initialize',
        params: {
          protocolVersion: '2025-11-25',
          capabilities: { experimental: { x: 'x'.repeat(length) } },
          clientInfo: { name: 'n'.repeat(length), version: '1' },
        },
      });
    expect(open(65_536).message.error.code).toBe(-32602);
    expect(open(65_000).status).toBe(200);
    expect(await sessionsOf(endpoint)).toMatchObject([{ client: { name: 'n'.repeat(256) } }]);
  });

  it('presents itself in the shape of the revision (seed B3)', async () => {
    const { client } = setUp();
    expect((await client.open('2025-11-25')).message.result).toEqual({
      protocolVersion: '2025-11-25',
      capabilities: { tools: { listChanged: true }, logging: {} },
      serverInfo: { name: 'fixture', version: '1.0.0', title: 'Fixture' },
      instructions: 'Use the tools.',
    });
    expect((await client.open('2025-03-26')).message.result.serverInfo).toEqual({ name: 'fixture', version: '1.0.0' });
  });

  it('refuses a second initialize on a live session, and starts over for a dead one (SES-08)', async () => {
    const { client } = setUp();
    await client.open();
    const again = client.request('initialize', { protocolVersion: '2025-11-25' });
    expect([again.status, again.message.error.code]).toEqual([400, -32600]);
    await client.delete().finished();
    const fresh = client.request('initialize', { protocolVersion: '2025-11-25' });
    expect(fresh.status).toBe(200);
    expect(fresh.headers['mcp-session-id']).not.toBe(client.sessionId);
  });

  it('answers 429 with Retry-After when the server is full, and frees the place of a session that ends (seed M3)', async () => {
    const { client } = setUp({ maxSessions: 1 });
    await client.open();
    const { sessionId } = client;
    const refused = await client.open();
    expect([refused.status, refused.headers['retry-after'], refused.message.error.code]).toEqual([429, '30', -32603]);
    client.sessionId = sessionId;
    await client.delete().finished();
    expect((await client.open()).status).toBe(200);
  });
});

describe('finding a session', () => {
  it('answers 400 without an id and 404 for an unknown one, on every verb (SES-02, wire B2, seed K3)', async () => {
    const { client } = setUp();
    await client.open();
    expect(client.request('tools/list', {}, { headers: { 'mcp-session-id': undefined } }).status).toBe(400);
    const bare = await client.get({ 'mcp-session-id': undefined }).finished();
    expect([bare.status, bare.message.error.code]).toEqual([400, -32600]);
    // Clients of 2024-11-05 begin with such a GET; who runs one learns where to send it.
    expect(bare.message.error.message).toMatch(/HTTP\+SSE \(2024-11-05\).*\/sse/);
    expect((await client.delete({ 'mcp-session-id': undefined }).finished()).status).toBe(400);
    const unknown = { 'mcp-session-id': '3f0c-unknown' };
    for (const answer of [
      client.request('ping', {}, { headers: unknown }),
      client.get(unknown),
      client.delete(unknown),
    ]) {
      await answer.finished();
      expect([answer.status, answer.message.error.code]).toEqual([404, -32600]);
    }
    expect(client.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, unknown).status).toBe(404);
  });

  it('answers a foreign session exactly as an unknown one (wire B2, wire S4)', async () => {
    const { client, endpoint, snapshot } = setUp();
    await client.open();
    const unknown = client.request('ping', {}, { id: 1, headers: { 'mcp-session-id': 'f'.repeat(32) } });
    for (const foreign of [{ owner: 'somebody else' }, { server: 'another server' }]) {
      const other = new ScriptedClient(endpoint, { snapshot, host: foreign });
      other.sessionId = client.sessionId;
      const answer = other.request('ping', {}, { id: 1 });
      expect([answer.status, answer.body, answer.headers]).toEqual([unknown.status, unknown.body, unknown.headers]);
    }
  });

  it('refuses an unsupported version header and serves a missing one at the agreed revision (wire B8, HTTP-07)', async () => {
    const { client } = setUp();
    await client.open();
    for (const version of ['2024-01-01', 'garbage', '']) {
      const answer = client.request('ping', {}, { headers: { 'mcp-protocol-version': version } });
      expect([version, answer.status]).toEqual([version, 400]);
      expect((await client.get({ 'mcp-protocol-version': version }).finished()).status).toBe(400);
    }
    expect(client.request('ping', {}, { headers: { 'mcp-protocol-version': undefined } }).message.result).toEqual({});
  });

  it('ends by DELETE with 204 and is gone for every verb (wire B3)', async () => {
    const { client } = setUp();
    await client.open();
    const answer = await client.delete().finished();
    expect([answer.status, answer.body]).toEqual([204, undefined]);
    for (const gone of [client.request('ping'), client.get(), client.delete()]) {
      expect((await gone.finished()).status).toBe(404);
    }
  });

  it('aborts running work when it ends: callers are told, and streams close without result (seed Q3, seed N5)', async () => {
    const { client, gate } = setUp();
    await client.open();
    const json = client.call('block');
    const stream = client.call('speak_and_block');
    await gate.entered(2);
    await client.delete().finished();
    expect((await json.finished()).message.error).toEqual({ code: -32603, message: 'The session has ended' });
    const { id, error } = (await stream.finished()).response;
    expect([typeof id, error]).toEqual(['number', { code: -32603, message: 'The session has ended' }]);
    expect(gate.signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });
});

describe('requests in a session', () => {
  it('answers ping, unknown methods and notifications as every revision does (seed B2, wire B4, seed B5, wire B23, seed K1)', async () => {
    const { client } = setUp();
    await client.open();
    expect(client.request('ping').message.result).toEqual({});
    for (const method of ['nope', 'server/discover', 'resources/list', 'subscriptions/listen']) {
      const answer = client.request(method);
      expect([answer.status, answer.message.error.code]).toEqual([200, -32601]);
    }
    const accepted = client.notify('notifications/whatever');
    expect([accepted.status, accepted.body]).toEqual([202, undefined]);
    const response = client.post({ jsonrpc: '2.0', id: 99, result: {} }, client.sessionHeaders);
    expect([response.status, response.body]).toEqual([202, undefined]);
  });

  it('tells bad arguments as the revision does (wire B29, SCH-12)', async () => {
    const { client } = setUp();
    await client.open('2025-11-25');
    const newer = client.call('add', { a: '1', b: 2 }).message.result;
    expect(newer.isError).toBe(true);
    expect(newer.content[0].text).toBe('Invalid arguments for tool add: a: must be number');
    await client.open('2025-06-18');
    const older = client.call('add', { a: 1 });
    expect([older.status, older.message.error.code, older.message.error.message]).toEqual([
      200,
      -32602,
      'Invalid params: b: is required',
    ]);
  });

  it('takes omitted and null arguments for none, and refuses lists and text (SCH-13)', async () => {
    const { client } = setUp();
    await client.open();
    for (const params of [{ name: 'boom' }, { name: 'boom', arguments: null }, { name: 'boom', arguments: {} }]) {
      expect(client.request('tools/call', params).message.result.isError).toBe(true);
    }
    for (const args of [[], '{}', 1]) {
      expect(client.request('tools/call', { name: 'boom', arguments: args }).message.error.code).toBe(-32602);
    }
    expect(client.request('tools/call', {}).message.error.code).toBe(-32602);
  });

  it('answers a crash -32603 without its internals, at once or later (seed C5, seed N5)', async () => {
    const { client } = setUp();
    await client.open();
    for (const tool of ['crash', 'crash_later', 'unencodable']) {
      const answer = await client.call(tool).finished();
      expect([tool, answer.status, answer.message.error.code]).toEqual([tool, 200, -32603]);
      expect(answer.body).not.toContain('secret');
    }
  });

  it('ends a tool at its limit, naming tool and limit, whether or not it listens (CAN-06)', async () => {
    const { client, clock, gate } = setUp();
    await client.open();
    const answer = client.call('block');
    await gate.entered();
    clock.advance(5_000);
    const { result } = (await answer.finished()).message;
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toBe('Tool block was stopped: its time limit of 5000 ms is over.');
    expect(gate.signals[0]?.aborted).toBe(true);
  });

  it('bounds the requests of one session (seed N3)', async () => {
    const { client, gate } = setUp({ pendingMax: 2 });
    await client.open();
    const first = client.call('block');
    const second = client.call('block');
    await gate.entered(2);
    const third = client.request('ping');
    expect(third.message.error).toEqual({ code: -32603, message: 'Session overloaded: 2 requests are pending' });
    gate.open();
    await first.finished();
    await second.finished();
    expect(client.request('ping').message.result).toEqual({});
  });

  it('gives each of two requests with one id its own answer (RPC-03)', async () => {
    const { client, gate } = setUp();
    await client.open();
    const slow = client.call('block', {}, undefined, { id: 1 });
    await gate.entered();
    const quick = await client.call('progress', {}, undefined, { id: 1 }).finished();
    expect(quick.message.result.content[0].text).toBe('done');
    gate.open();
    expect((await slow.finished()).message.result.content[0].text).toBe('let through');
  });
});

describe('state of a session', () => {
  it('starts empty, is kept also after a failure, and not after a crash (seed C5)', async () => {
    const { client } = setUp();
    await client.open();
    const count = async (args = {}) => (await client.call('count', args).finished()).message;
    expect((await count()).result.content[0].text).toBe('1');
    expect((await count({ fail: true })).result).toMatchObject({ isError: true, content: [{ text: '2' }] });
    expect((await count({ crash: true })).error.code).toBe(-32603);
    expect((await count()).result.content[0].text).toBe('3');
    await client.open();
    expect((await count()).result.content[0].text).toBe('1');
  });

  it('runs stateful calls one at a time in order, token or not, while others overtake (seed N2)', async () => {
    const { client, gate } = setUp();
    await client.open();
    const first = client.call('count_and_block', {}, { progressToken: 1 });
    await gate.entered();
    const second = client.call('count');
    const third = client.call('count', {}, { progressToken: 2 });
    expect(client.call('add', { a: 1, b: 1 }).message.result.content[0].text).toBe('2');
    await settle();
    expect([second.done, third.done]).toEqual([false, false]);
    gate.open();
    const texts = [];
    for (const call of [first, second, third]) texts.push((await call.finished()).response.result.content[0].text);
    expect(texts).toEqual(['1', '2', '3']);
  });

  it('stops waiting for a turn after requestTimeoutMs and frees the place (seed N4)', async () => {
    const { client, clock, gate } = setUp({ requestTimeoutMs: 1_000 });
    await client.open();
    const first = client.call('count_and_block');
    await gate.entered();
    const waiting = client.call('count');
    await settle();
    clock.advance(1_000);
    expect((await waiting.finished()).message.error).toEqual({
      code: -32603,
      message: 'Waited 1000 ms for an earlier call of this session',
    });
    gate.open();
    await first.finished();
    expect((await client.call('count').finished()).message.result.content[0].text).toBe('2');
  });

  it('keeps the old state when a call is cancelled or cut off, and lets the next one in', async () => {
    const { client, clock, gate } = setUp();
    await client.open();
    const cancelled = client.call('count_and_block', {}, undefined, { id: 'c' });
    await gate.entered();
    client.notify('notifications/cancelled', { requestId: 'c' });
    await cancelled.finished();
    const late = client.call('count_and_block');
    await gate.entered(2);
    clock.advance(5_000);
    expect((await late.finished()).message.result.isError).toBe(true);
    expect((await client.call('count').finished()).message.result.content[0].text).toBe('1');
  });
});

describe('logging/setLevel', () => {
  it('is remembered, filters, and refuses unknown levels (wire B26, seed G1)', async () => {
    const { client } = setUp();
    await client.open();
    const logged = async (level: string) =>
      (await client.call('log', { level }).finished()).messages.map(({ params }) => params?.level);
    expect(await logged('debug')).toEqual([]);
    expect(await logged('info')).toEqual(['info', undefined]);
    expect(client.request('logging/setLevel', { level: 'error' }).message.result).toEqual({});
    expect(await logged('warning')).toEqual([]);
    expect(await logged('critical')).toEqual(['critical', undefined]);
    for (const level of ['loud', undefined, 3]) {
      expect(client.request('logging/setLevel', { level }).message.error.code).toBe(-32602);
    }
  });
});

describe('idle sessions', () => {
  it('end after their time and not before (seed Q1)', async () => {
    const { client, clock } = setUp({ sessionTtlMs: 10_000 });
    await client.open();
    clock.advance(9_999);
    expect(client.request('ping').status).toBe(200);
    clock.advance(9_999);
    expect(client.request('ping').status).toBe(200);
    clock.advance(10_000);
    expect(client.request('ping').status).toBe(404);
  });

  it('are held by a stream and by a running call, and let go when those end (seed Q2)', async () => {
    const { client, clock, gate, endpoint } = setUp({ sessionTtlMs: 10_000, keepAliveMs: 0 });
    const advance = async (ms: number) => {
      for (let left = ms; left > 0; left -= 1_000) {
        clock.advance(1_000);
        await settle();
      }
    };
    await client.open();
    const stream = await client.get().until(() => true);
    await settle();
    await advance(60_000);
    expect(client.request('ping').status).toBe(200);
    stream.disconnect();
    const call = client.call('speak_and_block');
    await gate.entered();
    await advance(25_000);
    expect(await sessionsOf(endpoint)).toHaveLength(1);
    gate.open();
    await call.finished();
    await advance(9_000);
    expect(await sessionsOf(endpoint)).toHaveLength(1);
    await advance(1_000);
    expect(await sessionsOf(endpoint)).toHaveLength(0);
    await advance(10_000);
    expect(clock.pending).toBe(0);
  });

  it('leave no timer behind when they are deleted (MEM-01)', async () => {
    const { client, clock } = setUp();
    await client.open();
    expect(clock.pending).toBe(1);
    await client.delete().finished();
    expect(clock.pending).toBe(0);
  });
});

describe('a server without sessions', () => {
  it('serves 2025 requests one by one, in the revision their header names (seed B6, seed K2)', async () => {
    const { client } = setUp({ sessions: false });
    const opened = await client.open('2025-06-18');
    expect([opened.status, opened.headers]).toEqual([200, {}]);
    const call = client.request(
      'tools/call',
      { name: 'add', arguments: {} },
      { headers: { 'mcp-protocol-version': '2025-06-18' } },
    );
    expect(call.message.error.code).toBe(-32602);
    const newer = client.request(
      'tools/call',
      { name: 'add', arguments: {} },
      { headers: { 'mcp-protocol-version': '2025-11-25' } },
    );
    expect(newer.message.result.isError).toBe(true);
    expect(client.request('ping', {}, { headers: { 'mcp-protocol-version': '2024-01-01' } }).status).toBe(400);
    expect(client.notify('notifications/initialized').status).toBe(202);
    for (const answer of [client.get(), client.delete()]) {
      expect([(await answer.finished()).status, answer.headers.allow]).toEqual([405, 'POST']);
    }
    const counted = await client
      .request('tools/call', { name: 'count' }, { headers: { 'mcp-protocol-version': '2025-11-25' } })
      .finished();
    expect(counted.message.result.content[0].text).toBe('1');
  });

  it('tells 2025 clients which versions there are when it serves none of theirs', async () => {
    const { client } = setUp({ legacy: false });
    const answer = await client.open('2025-06-18');
    expect([answer.status, answer.message.error.code]).toEqual([400, -32022]);
    expect(answer.message.error.data).toEqual({ supported: ['2026-07-28'], requested: '2025-06-18' });
    expect((await client.get().finished()).status).toBe(405);
    expect(client.modern('tools/list').status).toBe(200);
  });
});

describe('tools/list pages', () => {
  it('walks disjoint and complete pages, also when a tool is added between (seed H1, seed H2, PAG-03)', async () => {
    const { client, snapshot } = setUp({ pageSize: 5 });
    await client.open();
    const names: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const { result } = client.request('tools/list', cursor === undefined ? {} : { cursor }).message;
      names.push(...result.tools.map(({ name }: { name: string }) => name));
      cursor = result.nextCursor;
      if (++pages === 1)
        client.snapshot = fixtureSnapshot(
          [...snapshot.tools.slice(0, 1), ...fixtureTools().slice(4, 5), ...snapshot.tools.slice(1)].map((tool, at) =>
            at === 1 ? { ...tool, definition: { ...tool.definition, name: 'new' } } : tool,
          ),
          { pageSize: 5 },
        );
    } while (cursor !== undefined);
    expect(names).toEqual(snapshot.tools.map(({ definition }) => definition.name));
    expect(pages).toBe(3);
  });

  it('refuses cursors of another server and made-up ones (wire B30)', async () => {
    const { client, endpoint, snapshot } = setUp({ pageSize: 5 });
    await client.open();
    const { nextCursor } = client.request('tools/list').message.result;
    const other = new ScriptedClient(endpoint, {
      snapshot: fixtureSnapshot(snapshot.tools, { pageSize: 5 }),
      host: { server: 'other' },
    });
    expect(other.modern('tools/list', { cursor: nextCursor }).message.error.code).toBe(-32602);
    expect(client.modern('tools/list', { cursor: nextCursor }).message.result.tools).toHaveLength(5);
    for (const cursor of ['zzz', '', 0, `${nextCursor}x`]) {
      expect(client.request('tools/list', { cursor }).message.error.code).toBe(-32602);
    }
  });

  it('cuts a page before it grows over 1 MiB', async () => {
    const { client, snapshot } = setUp();
    const long = snapshot.tools.map((tool) => ({
      ...tool,
      definition: { ...tool.definition, description: 'é'.repeat(200_000) },
    }));
    client.snapshot = fixtureSnapshot(long);
    const answer = client.modern('tools/list');
    expect(answer.message.result.tools).toHaveLength(2);
    expect(Buffer.byteLength(answer.body ?? '')).toBeLessThan(1024 * 1024);
    expect(answer.message.result.nextCursor).toBeDefined();
  });
});
