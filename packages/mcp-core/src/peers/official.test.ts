import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport as OfficialTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as OfficialServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import {
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMcpEndpoint } from '../create-endpoint.js';
import { rejection } from '../testing/dispatcher-ends.js';
import { settled } from '../testing/dispatcher-pair.js';
import { Gate } from '../testing/fixture-server.js';
import { serveOverHttp } from '../testing/node-http.js';
import { InMemoryTransport } from '../transports/in-memory/index.js';
import { askClient } from './handlers.js';
import { McpClient } from './mcp-client.js';
import { McpServer } from './mcp-server.js';

const INFO = { name: 'ours', version: '1.0.0' };
const THEIRS = { name: 'official', version: '1.0.0' };

const TRANSPORTS = [
  ['the official in-memory transport', () => OfficialTransport.createLinkedPair()],
  ['our in-memory transport', () => InMemoryTransport.pair()],
] as const;

function ourServer(gate = new Gate()) {
  const server = new McpServer(INFO, { settings: { pageSize: 2 } });
  const requestedSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
  const params = { message: 'Your name?', requestedSchema };
  server
    .tool('add', { inputSchema: { type: 'object', properties: { a: { type: 'number' } } } }, ({ a }) => `${a} and more`)
    .tool('block', {}, async (_args, { signal }) => {
      await gate.pass(signal);
      return 'through';
    })
    .tool('steps', {}, async (_args, context) => {
      for (const step of [1, 2, 3]) {
        context.progress(step, 3);
        // The official client forgets who asked for progress when the answer comes in the same turn.
        await settled();
      }
      return 'done';
    })
    .tool('greet', {}, (_args, context) =>
      JSON.stringify(askClient(context, 'name', { method: 'elicitation/create', params })),
    )
    .prompt('hello', { arguments: [{ name: 'who', required: true }] }, ({ who }) => `Hello, ${who}!`)
    .resource('note:/one', {}, () => 'first')
    .resourceTemplate('user:/{id}', { completions: { id: ['7'] } }, ({ variables }) => `user ${variables.id}`);
  return server;
}

describe.each(TRANSPORTS)('over %s', (_name, pair) => {
  it('D9 the official client has everything of our server', async () => {
    const gate = new Gate();
    const server = ourServer(gate);
    const [left, right] = pair();
    await server.connect(left);
    const client = new Client(THEIRS, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name: 'Ada' } }));
    const heard: string[] = [];
    for (const schema of [
      ToolListChangedNotificationSchema,
      ResourceUpdatedNotificationSchema,
      LoggingMessageNotificationSchema,
    ]) {
      client.setNotificationHandler(schema, ({ method }) => void heard.push(method));
    }
    await client.connect(right);
    expect(client.getServerVersion()).toEqual(INFO);
    const page = await client.listTools();
    expect(page.tools).toHaveLength(2);
    expect((await client.listTools({ cursor: page.nextCursor })).tools).toHaveLength(2);
    expect(await client.callTool({ name: 'add', arguments: { a: 1 } })).toMatchObject({
      content: [{ text: '1 and more' }],
    });
    const steps: number[] = [];
    await client.callTool({ name: 'steps' }, undefined, { onprogress: ({ progress }) => void steps.push(progress) });
    expect(steps).toEqual([1, 2, 3]);
    expect(await client.callTool({ name: 'greet' })).toMatchObject({
      content: [{ text: '{"result":{"action":"accept","content":{"name":"Ada"}}}' }],
    });
    expect((await client.getPrompt({ name: 'hello', arguments: { who: 'Ada' } })).messages).toHaveLength(1);
    expect((await client.readResource({ uri: 'user:/7' })).contents).toMatchObject([{ text: 'user 7' }]);
    const ref = { type: 'ref/resource', uri: 'user:/{id}' } as const;
    expect((await client.complete({ ref, argument: { name: 'id', value: '' } })).completion.values).toEqual(['7']);
    await client.subscribeResource({ uri: 'note:/one' });
    await client.setLoggingLevel('error');
    server.resourceUpdated('note:/one');
    server.log('info', 'unheard');
    server.log('error', 'heard');
    server.remove('tool', 'add');
    await client.ping();
    expect(heard).toEqual([
      'notifications/resources/updated',
      'notifications/message',
      'notifications/tools/list_changed',
    ]);
    const controller = new AbortController();
    const call = rejection(client.callTool({ name: 'block' }, undefined, { signal: controller.signal }));
    await gate.entered();
    controller.abort();
    await call;
    await settled();
    expect(gate.signals[0]?.aborted).toBe(true);
    await client.close();
    await settled();
    expect(server.connections).toEqual([]);
  });

  it('D9 our client has everything of the official server', async () => {
    const server = new OfficialServer(THEIRS, { capabilities: { logging: {}, resources: { subscribe: true } } });
    server.registerTool('add', { inputSchema: { a: z.number(), b: z.number() } }, async ({ a, b }, extra) => {
      const progressToken = extra._meta?.progressToken;
      if (progressToken !== undefined) {
        await extra.sendNotification({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
      }
      return { content: [{ type: 'text', text: String(a + b) }] };
    });
    server.registerTool('greet', {}, async () => {
      const asked = await server.server.elicitInput({
        message: 'Your name?',
        requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      });
      const { roots } = await server.server.listRoots();
      return { content: [{ type: 'text', text: `${asked.content?.name} in ${roots[0]?.uri}` }] };
    });
    server.registerPrompt('hello', { argsSchema: { who: z.string() } }, ({ who }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `Hello, ${who}!` } }],
    }));
    server.registerResource('one', 'note:/one', {}, (uri) => ({ contents: [{ uri: uri.href, text: 'first' }] }));
    const [left, right] = pair();
    await server.connect(left);
    const client = new McpClient(INFO, {
      elicitation: () => ({ action: 'accept', content: { name: 'Ada' } }),
      roots: [{ uri: 'file:///work' }],
    });
    const changes: string[] = [];
    client.onNotification('notifications/tools/list_changed', (_params, { method }) => void changes.push(method));
    expect(await client.connect(right)).toMatchObject({ info: THEIRS, revision: '2025-11-25' });
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['add', 'greet']);
    const steps: number[] = [];
    const sum = await client.callTool(
      'add',
      { a: 1, b: 2 },
      { onProgress: ({ progress }) => void steps.push(progress) },
    );
    expect([sum.content, steps]).toEqual([[{ type: 'text', text: '3' }], [1]]);
    expect((await client.callTool('greet')).content).toEqual([{ type: 'text', text: 'Ada in file:///work' }]);
    expect((await client.getPrompt('hello', { who: 'Ada' })).messages).toHaveLength(1);
    expect((await client.readResource('note:/one')).contents).toMatchObject([{ text: 'first' }]);
    expect((await client.listResources()).map(({ uri }) => uri)).toEqual(['note:/one']);
    await client.setLogLevel('error');
    await client.ping();
    server.registerTool('late', {}, async () => ({ content: [] }));
    await client.ping();
    expect(changes).toEqual(['notifications/tools/list_changed']);
    await client.close();
  });
});

describe('other transports of the official SDK', () => {
  it('D9 stdio carries our server, one message a line', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const connection = await ourServer().connect(new StdioServerTransport(input, output));
    const lines = new ReadBuffer();
    const received: JSONRPCMessage[] = [];
    let arrived = () => {};
    output.on('data', (chunk: Buffer) => {
      lines.append(chunk);
      for (let message = lines.readMessage(); message !== null; message = lines.readMessage()) received.push(message);
      arrived();
    });
    const ask = async (message: JSONRPCMessage) => {
      const next = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      input.write(serializeMessage(message));
      await next;
      return received.at(-1);
    };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: THEIRS };
    expect(await ask({ jsonrpc: '2.0', id: 0, method: 'initialize', params })).toMatchObject({ id: 0, result: {} });
    expect(await ask({ jsonrpc: '2.0', id: 1, method: 'ping' })).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    await connection.close();
  });

  it('D9 Streamable HTTP carries our client, and an endpoint serves what an McpServer is made of', async () => {
    const endpoint = createMcpEndpoint();
    const server = ourServer();
    const principal = { kind: 'key', id: 'k', scopes: [] };
    const served = await serveOverHttp(endpoint, () => ({ ...server.hosted, owner: 'o', principal }));
    const client = new McpClient(INFO, { elicitation: () => ({ action: 'decline' }) });
    await client.connect(new StreamableHTTPClientTransport(served.url));
    expect(await client.listTools()).toHaveLength(4);
    const answer = await client.callTool('greet');
    expect(answer.content).toMatchObject([{ text: '{"result":{"action":"decline"}}' }]);
    await client.close();
    await endpoint.close({ graceMs: 0 });
    await served.close();
  });
});
