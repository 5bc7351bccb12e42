import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import {
  CreateMessageRequestSchema,
  LoggingMessageNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { useGantry } from '../harness/process.js';
import { Backend, seenAborted } from './backend.js';
import { bearer, JSON_POST, LATEST_LEGACY } from './clients.js';
import { Arrivals } from './deadline.js';
import { code, everyKind, KINDS } from './documents.js';
import { type Answer, ask } from './exchange.js';
import { watchedFetch } from './watched-fetch.js';

/** A proxy that serves the process under a path of its own, as PUBLIC_URL says. */
const proxy = createServer((request, response) => {
  const path = (request.url ?? '').replace(/^\/gantry(?=\/)/, '');
  const { method, headers } = request;
  const onward = httpRequest(`${gantry.url}${path}`, { method, headers, agent: false }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  response.once('close', () => onward.destroy());
  request.pipe(onward);
});

const backend = new Backend();
const gantry = useGantry(async () => {
  const { host } = await backend.start();
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return { egressAllow: [host], env: { PUBLIC_URL: publicUrl() } };
});
const publicUrl = () => `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/gantry`;
let key = '';
let open: Client[] = [];

const ASK = `
  const { content } = await ctx.sample("text", { messages: [{ role: "user", content: { type: "text", text: "Say hi" } }], maxTokens: 9 });
  return "said " + content.text;
`;

beforeAll(async () => {
  await gantry.tenant('acme');
  const kinds = everyKind(backend.url) as { tools: object[] };
  await gantry.server('acme', 'kinds', { ...kinds, tools: [...kinds.tools, code('asks', ASK)] });
  key = (await gantry.key('acme')).key;
});
afterEach(async () => {
  for (const client of open) await client.close();
  open = [];
});
afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await backend.stop();
});

/** The official client, by way of the public address. */
async function connect(): Promise<{ client: Client; logs: Arrivals<string>; changes: Arrivals<true> }> {
  const client = new Client({ name: 'official', version: '0.0.1' }, { capabilities: { sampling: {} } });
  const logs = new Arrivals<string>();
  const changes = new Arrivals<true>();
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => logs.add(params.level));
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => changes.add(true));
  client.setRequestHandler(CreateMessageRequestSchema, () => ({
    role: 'assistant',
    model: 'm',
    content: { type: 'text', text: 'hi' },
  }));
  const transport = new SSEClientTransport(new URL(`${publicUrl()}/mcp/acme/kinds/sse`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
    fetch: watchedFetch,
  });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  open.push(client);
  return { client, logs, changes };
}

const textOf = (result: unknown): string => (result as { content: { text: string }[] }).content[0]?.text ?? '';

/** Living sessions of the server, as an operator sees them. */
async function sessions(): Promise<{ id: string; era: string }[]> {
  const { body } = await gantry.admin('GET', '/tenants/acme/sessions?era=http%2Bsse');
  return (body as { items: { id: string; era: string }[] }).items;
}

describe('the official client of HTTP+SSE', () => {
  it('lists, calls and hears of progress, level and changes (wire A2, SES-06)', async () => {
    const { client, logs, changes } = await connect();
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([...KINDS, 'asks']);
    expect(textOf(await client.callTool({ name: 'policy', arguments: { team: 'ops' } }))).toBe('Rules of ops.');
    // This client drops progress that comes in one piece with the result: what it must hear, it hears before that.
    const progress = new Arrivals<number>();
    const onprogress = (event: { progress: number }) => progress.add(event.progress);
    const charged = client.callTool({ name: 'slow_charge', arguments: { at: 'sse' } }, undefined, { onprogress });
    await progress.first('progress', (done) => done === 1);
    (await backend.arrived('/held/sse')).answer('go on');
    expect(textOf(await charged)).toBe('charged');
    await client.setLoggingLevel('error');
    await client.callTool({ name: 'talk', arguments: {} });
    await logs.first('a log message', (level) => level === 'error');
    expect(logs.all).toEqual(['error']);
    const counted = [1, 2].map(() => client.callTool({ name: 'counter', arguments: {} }));
    expect((await Promise.all(counted)).map(textOf).sort()).toEqual(['1', '2']);
    const { client: seen } = (await client.callTool({ name: 'who', arguments: {} })).structuredContent as {
      client: object;
    };
    expect(seen).toMatchObject({ name: 'official', revision: LATEST_LEGACY });
    const told = await gantry.admin('POST', '/tenants/acme/servers/kinds/notify', { listChanged: ['tools'] });
    expect(told.status).toBe(202);
    await changes.first('the change of the list', () => true);
  });

  it('is asked on its stream, and answers (wire B28)', async () => {
    const { client } = await connect();
    expect(textOf(await client.callTool({ name: 'asks', arguments: {} }))).toBe('said hi');
  });

  it('cancels a call: the work stops (wire B24)', async () => {
    const { client } = await connect();
    const stop = new AbortController();
    const call = client.callTool({ name: 'held_http', arguments: { at: 'sse-cancel' } }, undefined, stop);
    const failed = expect(call).rejects.toThrow();
    const seen = await backend.arrived('/held/sse-cancel');
    stop.abort('enough');
    await seenAborted(seen);
    await failed;
    expect(textOf(await client.callTool({ name: 'policy', arguments: { team: 'after' } }))).toBe('Rules of after.');
  });

  it('ends its session and its work by closing (wire A5)', async () => {
    const { client } = await connect();
    const failed = expect(client.callTool({ name: 'held_http', arguments: { at: 'sse-close' } })).rejects.toThrow();
    const seen = await backend.arrived('/held/sse-close');
    await client.close();
    await seenAborted(seen);
    await failed;
  });
});

describe('the addresses of HTTP+SSE', () => {
  const at = (tail: string) => `${gantry.mcpUrl('acme', 'kinds')}${tail}`;
  const get = (tail: string, headers: object = {}) =>
    ask(at(tail), { method: 'GET', headers: { ...bearer(key), accept: 'text/event-stream', ...headers } });
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const post = (tail: string, headers: object = {}) =>
    ask(at(tail), { headers: { ...JSON_POST, ...bearer(key), ...headers }, body: ping });
  /** Query of the address that a stream has named. */
  const named = async (stream: Answer) => {
    const { data } = await stream.frames.first('the endpoint event', ({ event }) => event === 'endpoint');
    expect(data).toMatch(/^\/gantry\/mcp\/acme\/kinds\/messages\?sessionId=[\x21-\x7e]{22,}$/);
    return `?${(data ?? '').split('?')[1]}`;
  };

  it('take a slash at their end, and never redirect (wire A1)', async () => {
    for (const slash of ['', '/']) {
      const stream = await get(`/sse${slash}`);
      expect(stream.headers).toMatchObject({
        'content-type': 'text/event-stream',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
      });
      const query = await named(stream);
      expect((await post(`/messages${slash}${query}`)).status).toBe(202);
      await stream.frames.first('the answer', ({ message }) => message?.id === 1);
      stream.destroy();
    }
  });

  it('answer 401 without a key, 404 to a session of somebody else or of nobody, 400 without a session (wire A3)', async () => {
    const stream = await get('/sse');
    const query = await named(stream);
    const { key: other } = await gantry.key('acme');
    const none = { authorization: undefined };
    const statuses = [
      await get('/sse', none),
      await post(`/messages${query}`, none),
      await post(`/messages${query}`, bearer(other)),
      await post('/messages?sessionId=nobody'),
      await post(`/messages${query}&sessionId=nobody`),
      await post('/messages'),
    ].map(({ status }) => status);
    expect(statuses).toEqual([401, 401, 404, 404, 400, 400]);
    stream.destroy();
    await expect.poll(async () => (await post(`/messages${query}`)).status, { timeout: 5_000 }).toBe(404);
  });

  it('refuse a foreign origin, and grant an allowed one its answers (wire A4)', async () => {
    const stream = await get('/sse', { origin: gantry.url });
    expect(stream.headers['access-control-allow-origin']).toBe(gantry.url);
    const query = await named(stream);
    for (const origin of ['https://evil.example', 'null']) {
      const refused = [await get('/sse', { origin }), await post(`/messages${query}`, { origin })];
      for (const answer of refused) {
        expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([403, undefined]);
      }
    }
    expect((await post(`/messages${query}`, { origin: gantry.url })).status).toBe(202);
    stream.destroy();
  });

  it('serve one method each, and say which', async () => {
    const asked = [
      ['/sse', 'POST', 405, 'GET, OPTIONS'],
      ['/sse/', 'DELETE', 405, 'GET, OPTIONS'],
      ['/messages', 'GET', 405, 'POST, OPTIONS'],
      ['/messages/', 'PUT', 405, 'POST, OPTIONS'],
      ['/messages', 'TRACE', 405, 'POST, OPTIONS'],
      ['/sse', 'OPTIONS', 204, 'GET, OPTIONS'],
      ['/messages', 'OPTIONS', 204, 'POST, OPTIONS'],
    ] as const;
    for (const [tail, method, status, allow] of asked) {
      const answer = await ask(at(tail), { method, headers: bearer(key) });
      expect([tail, method, answer.status, answer.headers.allow]).toEqual([tail, method, status, allow]);
    }
    expect((await get('', {})).status).toBe(400);
  });

  it('are told to operators as sessions of their own era', async () => {
    const stream = await get('/sse');
    const query = await named(stream);
    const id = new URLSearchParams(query).get('sessionId');
    expect(await sessions()).toContainEqual(expect.objectContaining({ id, era: 'http+sse' }));
    stream.destroy();
  });
});
