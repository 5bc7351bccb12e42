import { describe, expect, it } from 'vitest';
import { MCPError } from '../jsonrpc/errors.js';
import { rejection } from '../testing/dispatcher-ends.js';
import { settled } from '../testing/dispatcher-pair.js';
import { FakeClock } from '../testing/fake-clock.js';
import type { Json } from '../testing/json.js';
import { join, peerPair } from '../testing/peer-pair.js';
import { RecordingTransport } from '../testing/recording-transport.js';
import { askClient } from './handlers.js';
import { McpClient, type McpClientOptions } from './mcp-client.js';
import { McpServer } from './mcp-server.js';

const INFO = { name: 'c', version: '1' };

/** A client whose server is the test. */
function rawClient(options: McpClientOptions = {}, revision = '2025-11-25') {
  const clock = new FakeClock();
  const client = new McpClient(INFO, { clock, ...options });
  const transport = new RecordingTransport();
  const sent = () => transport.sent as Json[];
  const answer = (result: unknown) => transport.deliver({ jsonrpc: '2.0', id: sent().at(-1).id, result });
  const connect = async () => {
    const connected = client.connect(transport);
    await settled();
    answer({ protocolVersion: revision, capabilities: {}, serverInfo: { name: 's', version: '2' } });
    return connected;
  };
  return { client, clock, transport, sent, answer, connect };
}

describe('connecting', () => {
  it('initializes, takes the revision the server offers, and says that it is ready', async () => {
    const { client, sent, connect } = rawClient({}, '2025-06-18');
    expect(await connect()).toMatchObject({ revision: '2025-06-18', info: { name: 's', version: '2' } });
    expect(sent()[0]).toMatchObject({
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', clientInfo: INFO },
    });
    expect(sent()[1].method).toBe('notifications/initialized');
    expect(client.server?.revision).toBe('2025-06-18');
    await expect(client.connect(new RecordingTransport())).rejects.toMatchObject({ reason: 'CONNECTED_TWICE' });
  });

  it('refuses a revision it does not speak, and an answer that is none, and closes', async () => {
    const odd = rawClient({}, '2031-01-01');
    expect(await rejection(odd.connect())).toMatchObject({ code: -32022 });
    expect(odd.transport.closes).toBe(1);
    const mute = rawClient();
    const connecting = rejection(mute.client.connect(mute.transport));
    await settled();
    mute.answer([]);
    expect(await connecting).toMatchObject({ name: 'UnexpectedAnswerError' });
  });

  it('that takes too long ends without a cancel, which initialize may not have (D13)', async () => {
    const { client, clock, transport, sent } = rawClient({ timeoutMs: 1_000 });
    const connecting = rejection(client.connect(transport));
    await settled();
    clock.advance(1_000);
    expect(await connecting).toMatchObject({ code: 1002 });
    expect(sent().map(({ method }) => method)).toEqual(['initialize']);
  });

  it('declares exactly what it has handlers for', async () => {
    const declared = async (options: McpClientOptions) => {
      const { sent, connect } = rawClient(options);
      await connect();
      return sent()[0].params.capabilities;
    };
    const handler = () => ({});
    expect(await declared({})).toEqual({});
    expect(await declared({ elicitation: handler, roots: [] })).toEqual({
      elicitation: {},
      roots: { listChanged: true },
    });
    expect(await declared({ elicitation: handler, urlElicitation: handler })).toEqual({
      elicitation: { form: {}, url: {} },
    });
    expect(await declared({ urlElicitation: handler })).toEqual({ elicitation: { url: {} } });
    expect(await declared({ sampling: handler, samplingOffers: { tools: true } })).toEqual({ sampling: { tools: {} } });
  });

  it('may be done again after the connection has ended, with the same listeners (D4)', async () => {
    const server = new McpServer(INFO);
    const client = new McpClient(INFO);
    const heard: string[] = [];
    const stop = client.onNotification('notifications/tools/list_changed', () => void heard.push('one'));
    client.onNotification('notifications/tools/list_changed', () => void heard.push('two'));
    for (const name of ['a', 'b']) {
      const connection = await join(server, client);
      await client.ping();
      server.tool(name, {}, () => '');
      await settled();
      await connection.close();
      await settled();
      await expect(client.ping()).rejects.toMatchObject({ reason: 'TRANSPORT_CLOSED' });
      stop();
    }
    expect(heard).toEqual(['one', 'two', 'two']);
    await expect(new McpClient(INFO).ping()).rejects.toMatchObject({ reason: 'NOT_CONNECTED' });
  });
});

describe('lists', () => {
  it('are walked to their end (seed H1, seed H2)', async () => {
    const names = Array.from({ length: 7 }, (_, at) => `t${at}`);
    const { client } = await peerPair({
      server: { settings: { pageSize: 2 } },
      offer: (server) => {
        for (const name of names) server.tool(name, {}, () => '');
      },
    });
    expect((await client.listTools()).map(({ name }) => name)).toEqual(names);
  });

  it('may have pages of any length', async () => {
    const { client, answer, connect } = rawClient();
    await connect();
    const long = client.listTools();
    await settled();
    answer({ tools: Array.from({ length: 200_000 }, () => ({})) });
    expect(await long).toHaveLength(200_000);
  });

  it('that never end, or are none, are given up', async () => {
    const { client, answer, connect } = rawClient();
    await connect();
    const endless = rejection(client.listTools());
    for (let page = 0; page < 2; page++) {
      await settled();
      answer({ tools: [], nextCursor: 'again' });
    }
    expect(await endless).toMatchObject({ name: 'UnexpectedAnswerError' });
    const none = rejection(client.listPrompts());
    await settled();
    answer({ prompts: 'none' });
    expect(await none).toMatchObject({ message: 'The answer to prompts/list cannot be used: prompts is no array' });
  });
});

describe('questions of the server', () => {
  const form = (field: string) => ({
    method: 'elicitation/create' as const,
    params: {
      message: `Your ${field}?`,
      requestedSchema: { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] },
    },
  });
  const asking = (server: McpServer) =>
    server
      .tool('greet', {}, (_args, context) => {
        const name = askClient(context, 'name', form('name'));
        const roots = askClient(context, 'roots', { method: 'roots/list' });
        return JSON.stringify([name, roots]);
      })
      .tool('page', {}, (_args, context) => {
        const params = { mode: 'url', message: 'Sign in', url: 'https://example.com/in' };
        return JSON.stringify(askClient(context, 'page', { method: 'elicitation/create', params }));
      });

  it('are answered by its handlers, one after the other, while the call waits (D20, wire B28)', async () => {
    const asked: Json[] = [];
    const { client } = await peerPair({
      offer: asking,
      client: {
        elicitation: async (params) => {
          asked.push(params.message);
          return { action: 'accept', content: { name: 'Ada' } };
        },
        roots: () => [{ uri: 'file:///work', name: 'work' }],
      },
    });
    const { content } = await client.callTool('greet');
    expect(JSON.parse((content[0] as Json).text)).toEqual([
      { result: { action: 'accept', content: { name: 'Ada' } } },
      { result: { roots: [{ uri: 'file:///work', name: 'work' }] } },
    ]);
    expect(asked).toEqual(['Your name?']);
  });

  it('may have any key, also one that every object seems to have', async () => {
    const { client } = await peerPair({
      offer: (server) =>
        server.tool('odd', {}, (_args, context) => JSON.stringify(askClient(context, 'constructor', form('name')))),
      client: { elicitation: () => ({ action: 'decline' }) },
    });
    const { content } = await client.callTool('odd');
    expect(JSON.parse((content[0] as Json).text)).toEqual({ result: { action: 'decline' } });
  });

  it('are not asked where they are not declared; the tool says so (wire B28)', async () => {
    const { client } = await peerPair({ offer: asking, client: { elicitation: () => ({ action: 'decline' }) } });
    expect(await client.callTool('page')).toMatchObject({ isError: true });
    expect(await client.callTool('greet')).toMatchObject({ isError: true });
  });

  it('are taken back when the call is cancelled (D12, D14)', async () => {
    let taken: AbortSignal | undefined;
    let arrived = () => {};
    const asked = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const { client } = await peerPair({
      offer: asking,
      client: {
        elicitation: (_params, { signal }) => {
          taken = signal;
          arrived();
          return new Promise(() => {});
        },
      },
    });
    const controller = new AbortController();
    const call = rejection(client.callTool('greet', {}, { signal: controller.signal }));
    await asked;
    controller.abort();
    await call;
    await settled();
    expect(taken?.aborted).toBe(true);
  });

  it('that it cannot answer are errors to the server, not to itself (D17)', async () => {
    const { transport, sent, connect } = rawClient({
      urlElicitation: () => {
        throw new MCPError(-1, 'not now');
      },
    });
    await connect();
    const ask = async (method: string, params: object) => {
      transport.deliver({ jsonrpc: '2.0', id: 'q', method, params });
      await settled();
      return sent().at(-1).error?.code ?? sent().at(-1).result;
    };
    expect(await ask('elicitation/create', { mode: 'url' })).toBe(-1);
    expect(await ask('elicitation/create', { message: 'form' })).toBe(-32602);
    expect(await ask('sampling/createMessage', {})).toBe(-32601);
    expect(await ask('ping', {})).toEqual({});
  });

  it('may be asked anew when what they gave has changed', async () => {
    const { client, sent, connect } = rawClient({ roots: [] });
    await connect();
    await client.rootsChanged();
    expect(sent().at(-1).method).toBe('notifications/roots/list_changed');
  });
});
