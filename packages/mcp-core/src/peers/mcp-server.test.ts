import { describe, expect, it } from 'vitest';
import { MCPError } from '../jsonrpc/errors.js';
import type { JsonRpcMessage } from '../jsonrpc/messages.js';
import { RunFailure } from '../ports/tool-runner.js';
import { rejection } from '../testing/dispatcher-ends.js';
import { settled } from '../testing/dispatcher-pair.js';
import { FakeClock } from '../testing/fake-clock.js';
import type { Json } from '../testing/json.js';
import { join, peerPair } from '../testing/peer-pair.js';
import { RecordingTransport } from '../testing/recording-transport.js';
import { McpClient } from './mcp-client.js';
import { McpServer, type McpServerOptions } from './mcp-server.js';

const PAIR = { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] };
const first = ({ content }: { content: readonly Json[] }) => content[0].text;

/** A server on a transport without another end. */
async function rawServer(offer: (server: McpServer) => unknown, options?: McpServerOptions) {
  const server = new McpServer({ name: 'raw', version: '1' }, { clock: new FakeClock(), ...options });
  offer(server);
  const transport = new RecordingTransport();
  const connection = await server.connect(transport);
  const answerTo = async (message: object): Promise<Json> => {
    const before = transport.sent.length;
    transport.deliver({ jsonrpc: '2.0', ...message });
    await settled();
    const answers = transport.sent.slice(before).filter((sent: JsonRpcMessage) => !('method' in sent));
    return JSON.parse(JSON.stringify(answers[0] ?? null));
  };
  const initialize = (protocolVersion: unknown) =>
    answerTo({ id: 'i', method: 'initialize', params: { protocolVersion, capabilities: {}, clientInfo: {} } });
  return { server, transport, connection, answerTo, initialize };
}

describe('the handshake', () => {
  it('echoes a revision it speaks and offers the newest for any other (seed B3, seed B4)', async () => {
    for (const [asked, offered] of [
      ['2025-03-26', '2025-03-26'],
      ['2025-06-18', '2025-06-18'],
      ['2025-11-25', '2025-11-25'],
      ['2026-07-28', '2025-11-25'],
      ['2024-11-05', '2024-11-05'],
      ['2024-10-07', '2025-11-25'],
      [7, '2025-11-25'],
    ]) {
      const { initialize } = await rawServer((server) => server, { instructions: 'Use it.' });
      const { result } = await initialize(asked);
      expect(result).toMatchObject({ protocolVersion: offered, instructions: 'Use it.', serverInfo: { name: 'raw' } });
    }
  });

  it('comes before everything but ping, and only once (seed B5)', async () => {
    const { answerTo, initialize } = await rawServer((server) => server);
    expect((await answerTo({ id: 1, method: 'tools/list' })).error.code).toBe(-32600);
    expect((await answerTo({ id: 2, method: 'ping' })).result).toEqual({});
    await initialize('2025-11-25');
    expect((await initialize('2025-11-25')).error.code).toBe(-32600);
    expect((await answerTo({ id: 3, method: 'tools/list' })).result).toEqual({ tools: [] });
    expect((await answerTo({ id: 4, method: 'nope' })).error.code).toBe(-32601);
    expect((await answerTo({ id: 5, method: 'server/discover' })).error.code).toBe(-32601);
  });

  it('advertises exactly what is offered, and serves nothing else (seed B8)', async () => {
    const bare = await rawServer((server) => server);
    expect(Object.keys((await bare.initialize('2025-11-25')).result.capabilities)).toEqual(['tools', 'logging']);
    expect((await bare.answerTo({ id: 1, method: 'prompts/list' })).error.code).toBe(-32601);
    const full = await rawServer((server) =>
      server
        .prompt('p', {}, () => 'x')
        .resource('x:/r', {}, () => 'x')
        .resourceTemplate('x:/{id}', {}, () => 'x'),
    );
    expect(Object.keys((await full.initialize('2025-11-25')).result.capabilities).sort()).toEqual([
      'completions',
      'logging',
      'prompts',
      'resources',
      'tools',
    ]);
  });
});

describe('tools', () => {
  it('run with checked arguments; text, blocks and structure come back (seed C1, seed C2, seed C3)', async () => {
    const { client } = await peerPair({
      offer: (server) =>
        server
          .tool('add', { title: 'Add', inputSchema: PAIR }, ({ a, b }: { a: number; b: number }) => `${a + b}`)
          .tool('pair', { outputSchema: { type: 'object' } }, async () => ({
            content: [],
            structuredContent: { x: 1 },
          })),
    });
    expect((await client.listTools()).map(({ name, title }) => [name, title])).toEqual([
      ['add', 'Add'],
      ['pair', undefined],
    ]);
    expect(first(await client.callTool('add', { a: 1, b: 2 }))).toBe('3');
    expect(await client.callTool('add', { a: 'one' })).toMatchObject({ isError: true });
    expect(await client.callTool('pair')).toMatchObject({ structuredContent: { x: 1 }, isError: false });
    await expect(client.callTool('nope')).rejects.toMatchObject({ code: -32602, message: 'Unknown tool: nope' });
  });

  it('fail in words, as an error of their own choosing, or without a word of their insides (D17, seed C4, seed C5)', async () => {
    const { client } = await peerPair({
      offer: (server) =>
        server
          .tool('words', {}, () => {
            throw new RunFailure('no such order');
          })
          .tool('protocol', {}, async () => {
            throw new MCPError(1234, 'told', { order: 7 });
          })
          .tool('crash', {}, () => {
            throw new Error('secret');
          }),
    });
    expect(await client.callTool('words')).toMatchObject({ isError: true, content: [{ text: 'no such order' }] });
    await expect(client.callTool('protocol')).rejects.toMatchObject({
      code: 1234,
      message: 'told',
      data: { order: 7 },
    });
    await expect(client.callTool('crash')).rejects.toMatchObject({ code: -32603, message: 'Internal error' });
  });

  it('that keep state take turns on one connection, and share nothing with another (seed C5, seed N2)', async () => {
    const counting = (server: McpServer) =>
      server.tool('count', { stateful: true }, async (_args, context) => {
        const count = Number(context.state?.count ?? 0) + 1;
        await null;
        context.state = { count };
        return String(count);
      });
    const { client, server } = await peerPair({ offer: counting });
    const counts = await Promise.all([1, 2, 3].map(() => client.callTool('count')));
    expect(counts.map(first)).toEqual(['1', '2', '3']);
    const other = new McpClient({ name: 'other', version: '1' });
    await join(server, other);
    expect(first(await other.callTool('count'))).toBe('1');
    expect(first(await client.callTool('count'))).toBe('4');
  });

  it('whose result cannot be encoded are an error without a word of their insides (D17, seed J4)', async () => {
    const { client } = await peerPair({
      offer: (server) => server.tool('big', {}, () => ({ content: [], structuredContent: { n: 1n } })),
    });
    await expect(client.callTool('big')).rejects.toMatchObject({ code: -32603, message: 'Internal error' });
  });

  it('are stopped by a cancel, by their limit, and by the end of the connection (D7, D12, D14, seed O1)', async () => {
    const { client, gate, clock, connection } = await peerPair({
      offer: (server, held) =>
        server.tool('block', { timeoutMs: 5_000 }, async (_args, { signal }) => {
          await held.pass(signal);
          return 'through';
        }),
    });
    const controller = new AbortController();
    const cancelled = rejection(client.callTool('block', {}, { signal: controller.signal }));
    await gate.entered(1);
    controller.abort();
    expect(await cancelled).toMatchObject({ code: 1001 });
    await settled();
    expect(gate.signals[0]?.aborted).toBe(true);
    const limited = client.callTool('block');
    await gate.entered(2);
    clock.advance(5_000);
    expect(first(await limited)).toContain('time limit of 5000 ms');
    const lost = rejection(client.callTool('block'));
    await gate.entered(3);
    await connection.close();
    expect(await lost).toMatchObject({ reason: 'TRANSPORT_CLOSED' });
    expect(gate.signals[2]?.aborted).toBe(true);
  });

  it('tell progress to who asked for it, and log to who wants that level (D15, seed J3, seed G2)', async () => {
    const { client, told, server } = await peerPair({
      offer: (made) =>
        made.tool('work', {}, async (_args, context) => {
          context.progress(1, 2, 'half');
          context.progress(2, 2);
          context.log('info', 'quiet');
          context.log('error', 'loud', 'worker');
          return 'done';
        }),
    });
    await client.setLogLevel('warning');
    const heard: Json[] = [];
    await client.callTool('work', {}, { onProgress: (progress) => void heard.push(progress) });
    expect(heard).toEqual([
      { progress: 1, total: 2, message: 'half' },
      { progress: 2, total: 2 },
    ]);
    server.log('alert', { all: true });
    server.log('debug', 'nobody');
    await settled();
    expect(told).toEqual([
      ['notifications/message', { level: 'error', logger: 'worker', data: 'loud' }],
      ['notifications/message', { level: 'alert', data: { all: true } }],
    ]);
  });

  it('are refused when too many wait (seed N3)', async () => {
    const { client, gate } = await peerPair({
      server: { settings: { pendingMax: 1 } },
      offer: (server, held) =>
        server.tool('block', {}, async (_args, { signal }) => {
          await held.pass(signal);
          return 'through';
        }),
    });
    const running = client.callTool('block');
    await gate.entered();
    await expect(client.callTool('block')).rejects.toMatchObject({ code: -32603 });
    gate.open();
    expect(first(await running)).toBe('through');
  });
});

describe('prompts and resources', () => {
  const offering = (server: McpServer) =>
    server
      .prompt(
        'greet',
        { arguments: [{ name: 'who', required: true }], completions: { who: ['Ada', 'Alan'] } },
        ({ who }) => `Hello, ${who}!`,
      )
      .resource('note:/one', { name: 'one', mimeType: 'text/plain' }, () => 'first note')
      .resource('note:/two', {}, ({ uri }) => [{ uri, blob: 'AAE=' }])
      .resourceTemplate('user:/{id}', { completions: { id: ['7', '8'] } }, ({ variables }) => `user ${variables.id}`);

  it('are listed, made, read and completed (seed D1, seed D2, seed D3, seed E1, seed E2, seed F1)', async () => {
    const { client } = await peerPair({ offer: offering });
    expect((await client.listPrompts()).map(({ name }) => name)).toEqual(['greet']);
    expect((await client.getPrompt('greet', { who: 'Ada' })).messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'Hello, Ada!' } },
    ]);
    expect((await client.listResources()).map(({ uri, name }) => [uri, name])).toEqual([
      ['note:/one', 'one'],
      ['note:/two', 'note:/two'],
    ]);
    expect((await client.listResourceTemplates()).map(({ uriTemplate }) => uriTemplate)).toEqual(['user:/{id}']);
    expect((await client.readResource('note:/one')).contents).toEqual([
      { uri: 'note:/one', mimeType: 'text/plain', text: 'first note' },
    ]);
    expect((await client.readResource('note:/two')).contents).toEqual([{ uri: 'note:/two', blob: 'AAE=' }]);
    expect((await client.readResource('user:/7')).contents).toMatchObject([{ uri: 'user:/7', text: 'user 7' }]);
    await expect(client.readResource('note:/three')).rejects.toMatchObject({ code: -32002 });
    const ref = { type: 'ref/prompt', name: 'greet' } as const;
    expect((await client.complete(ref, { name: 'who', value: 'al' })).values).toEqual(['Alan']);
    const template = { type: 'ref/resource', uri: 'user:/{id}' } as const;
    expect((await client.complete(template, { name: 'id', value: '' })).values).toEqual(['7', '8']);
  });

  it('tell who is subscribed, and nobody after that (seed D4, seed D5)', async () => {
    const { client, server, told } = await peerPair({ offer: offering });
    server.resourceUpdated('note:/one');
    await client.subscribe('note:/one');
    await client.subscribe('note:/one');
    server.resourceUpdated('note:/one');
    server.resourceUpdated('note:/two');
    await settled();
    await client.unsubscribe('note:/one');
    server.resourceUpdated('note:/one');
    await settled();
    expect(told).toEqual([['notifications/resources/updated', { uri: 'note:/one' }]]);
  });

  it('may come and go while clients are there, who are told (wire B21)', async () => {
    const { client, server, told } = await peerPair({ offer: offering });
    server.tool('new', {}, () => 'new').prompt('other', {}, () => 'x');
    expect(server.remove('resource', 'note:/two')).toBe(true);
    expect(server.remove('resource', 'note:/two')).toBe(false);
    await settled();
    expect(told.map(([method]) => method)).toEqual([
      'notifications/tools/list_changed',
      'notifications/prompts/list_changed',
      'notifications/resources/list_changed',
    ]);
    expect(first(await client.callTool('new'))).toBe('new');
    expect((await client.listResources()).map(({ uri }) => uri)).toEqual(['note:/one']);
  });

  it('are told to nobody who has not said that it is ready (wire B21)', async () => {
    const { server, transport, initialize } = await rawServer((made) => made);
    await initialize('2025-11-25');
    server.tool('new', {}, () => 'new');
    await settled();
    expect(transport.sent.filter((message) => 'method' in message)).toEqual([]);
  });

  it('refuse what could not be served, when it is offered', () => {
    const server = new McpServer({ name: 's', version: '1' }).tool('t', {}, () => '');
    const refused = (offer: () => unknown) => {
      try {
        offer();
      } catch (error) {
        return (error as { reason: string }).reason;
      }
    };
    expect(refused(() => server.tool('t', {}, () => ''))).toBe('DUPLICATE_NAME');
    expect(refused(() => server.tool('', {}, () => ''))).toBe('INVALID_DEFINITION');
    expect(refused(() => server.tool('u', { inputSchema: { type: 'array' } }, () => ''))).toBe('INVALID_DEFINITION');
    expect(refused(() => server.resourceTemplate('x:/{', {}, () => ''))).toBe('INVALID_DEFINITION');
  });
});

describe('requests of 2026-07-28', () => {
  const meta = (more: object = {}) => ({
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    ...more,
  });

  it('carry their revision and need no handshake (wire C12, wire C20, wire C21)', async () => {
    const { answerTo } = await rawServer((server) => server.tool('hello', {}, () => 'hi'));
    const discovered = await answerTo({ id: 1, method: 'server/discover', params: { _meta: meta() } });
    expect(discovered.result).toMatchObject({ resultType: 'complete', supportedVersions: ['2026-07-28'] });
    const called = await answerTo({ id: 2, method: 'tools/call', params: { name: 'hello', _meta: meta() } });
    expect(called.result).toMatchObject({ resultType: 'complete', content: [{ text: 'hi' }] });
    expect((await answerTo({ id: 3, method: 'ping', params: { _meta: meta() } })).error.code).toBe(-32601);
    expect((await answerTo({ id: 4, method: 'tools/list' })).error.code).toBe(-32600);
    const unknown = { 'io.modelcontextprotocol/protocolVersion': '2031-01-01' };
    const refused = await answerTo({ id: 5, method: 'tools/list', params: { _meta: meta(unknown) } });
    expect(refused.error).toMatchObject({ code: -32022, data: { requested: '2031-01-01' } });
  });

  it('are served by the same methods as those of a session, on one connection (seed B7)', async () => {
    const { answerTo, initialize } = await rawServer((server) =>
      server
        .tool('hello', {}, () => 'hi')
        .prompt('p', {}, () => 'x')
        .resource('x:/r', {}, () => 'y'),
    );
    await initialize('2025-11-25');
    for (const [method, params, member] of [
      ['tools/list', {}, 'tools'],
      ['tools/call', { name: 'hello' }, 'content'],
      ['prompts/get', { name: 'p' }, 'messages'],
      ['resources/read', { uri: 'x:/r' }, 'contents'],
    ] as const) {
      const inSession = await answerTo({ id: 1, method, params });
      const alone = await answerTo({ id: 1, method, params: { ...params, _meta: meta() } });
      expect(inSession.result[member]).toHaveLength(1);
      expect(alone.result[member]).toEqual(inSession.result[member]);
    }
  });

  it('listen until they are cancelled or the server closes, which is their result (wire C30)', async () => {
    const { server, transport, answerTo } = await rawServer((made) => made);
    const params = { notifications: { toolsListChanged: true }, _meta: meta() };
    await answerTo({ id: 'l1', method: 'subscriptions/listen', params });
    await answerTo({ id: 'l2', method: 'subscriptions/listen', params });
    await answerTo({ method: 'notifications/cancelled', params: { requestId: 'l1' } });
    server.tool('new', {}, () => 'new');
    await settled();
    await server.close();
    const sent = transport.sent.map((message) => ('method' in message ? message.method : message.id));
    expect(sent).toEqual([
      'notifications/subscriptions/acknowledged',
      'notifications/subscriptions/acknowledged',
      'notifications/tools/list_changed',
      'l2',
    ]);
    expect(server.connections).toEqual([]);
  });
});
