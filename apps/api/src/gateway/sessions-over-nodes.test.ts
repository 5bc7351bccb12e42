import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { useNodePair } from '../../test/support/node-pair.js';
import { SessionClient, textOf } from '../../test/wire/clients.js';
import type { Answer } from '../../test/wire/exchange.js';
import type { TopicListeners } from '../infra/nodes/node-channel.js';
import { NODE_CHANNEL } from '../infra/tokens.js';

const nodes = useNodePair({ egressAllow: ['127.0.0.0/8'] });
let servers = 0;
const streams: Answer[] = [];
afterEach(() => {
  for (const stream of streams.splice(0)) stream.destroy();
  vi.restoreAllMocks();
});

const backend = createServer();
/** Requests that the backend holds: none of them is ever answered. */
const held: ServerResponse[] = [];
backend.on('request', (_request, response) => held.push(response));
let address = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(backend.address() as AddressInfo).port}`;
});
afterAll(() => {
  backend.closeAllConnections();
  backend.close();
});

/** A session that was opened on the first node, and the same one at the second. */
async function open() {
  const slug = `s${++servers}`;
  if (servers === 1) await nodes.admin('POST', '/tenants', { slug: 'acme', name: 'Acme' });
  const path = `/tenants/acme/servers/${slug}`;
  await nodes.admin('PUT', path, {
    name: slug,
    tools: [
      { name: 'greet', description: 'greet', inputSchema: { type: 'object' }, template: { text: 'Hello' } },
      { name: 'hold', description: 'hold', inputSchema: { type: 'object' }, http: { method: 'GET', url: address } },
    ],
    resources: ['a', 'b'].map((name) => ({ uri: `docs://${name}`, name, text: name })),
  });
  const { key } = (await nodes.admin('POST', '/tenants/acme/keys', { name: slug, scopes: ['mcp:call'] })) as {
    key: string;
  };
  const [first, second] = nodes.urls.map((url) => `${url}/mcp/acme/${slug}`) as [string, string];
  const one = await new SessionClient(first, key).open();
  return { one, two: one.at(second), path };
}

/** Swallows whatever is said to a node until the function it gives is called, which tells the node so. */
function deafen(node: 0 | 1): () => void {
  const { listeners } = nodes.apps[node].nest.get<{ listeners: TopicListeners }>(NODE_CHANNEL);
  const tell = vi.spyOn(listeners, 'tell').mockImplementation(() => {});
  return () => {
    tell.mockRestore();
    listeners.tellGap();
  };
}

const UPDATED = 'notifications/resources/updated';

describe('a session on two nodes', () => {
  it('is served by the one that did not open it, and over once it was ended there', async () => {
    const { one, two } = await open();
    expect(textOf(await (await two.call('greet')).result())).toBe('Hello');
    expect(textOf(await (await one.call('greet')).result())).toBe('Hello');
    expect((await two.delete()).status).toBe(204);
    expect([(await one.ask('ping')).status, (await two.ask('ping')).status]).toEqual([404, 404]);
  });

  it('hears of the resources it subscribed to elsewhere, and of no other', async () => {
    const { one, two, path } = await open();
    expect((await two.ask('resources/subscribe', { uri: 'docs://a' })).status).toBe(200);
    const stream = await one.get();
    streams.push(stream);
    for (const [node, name] of [
      [1, 'b'],
      [1, 'a'],
      [0, 'a'],
    ] as const) {
      await nodes.admin('POST', `${path}/notify`, { resourceUpdated: `docs://${name}` }, node);
    }
    await vi.waitFor(() => {
      const updates = stream.messages.filter(({ method }) => method === UPDATED);
      expect(updates.map(({ params }) => params.uri)).toEqual(['docs://a', 'docs://a']);
    }, 10_000);
  });

  it('has a call cancelled through the other node although the word of it got lost (CAN-01)', async () => {
    const { one, two } = await open();
    const call = one.start('hold', {}, { id: 'lost' });
    await vi.waitFor(() => expect(held).toHaveLength(1), { timeout: 10_000 });
    const stopped = new Promise<void>((resolve) => held[0]?.once('close', resolve));
    const hear = deafen(0);
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'lost' } };
    expect((await two.post(cancelled)).status).toBe(202);
    expect((await one.ask('ping')).status).toBe(200);
    expect(held[0]?.destroyed).toBe(false);
    hear();
    await stopped;
    const answer = await call.answer;
    expect(answer.messages.filter(({ id }) => id === 'lost')).toEqual([]);
  });
});
