import { afterEach, describe, expect, it, vi } from 'vitest';
import { useNodePair } from '../../test/support/node-pair.js';
import { ModernClient, SessionClient } from '../../test/wire/clients.js';
import type { Answer } from '../../test/wire/exchange.js';
import { HostedServers } from '../modules/tools/catalogue/hosted-servers.js';

const nodes = useNodePair();
let servers = 0;
const streams: Answer[] = [];
afterEach(() => {
  for (const stream of streams.splice(0)) stream.destroy();
});

const tool = (name: string) => ({
  name,
  description: name,
  inputSchema: { type: 'object' },
  template: { text: name },
});
const TOOLS = 'notifications/tools/list_changed';
const PROMPTS = 'notifications/prompts/list_changed';

interface Server {
  readonly path: string;
  readonly mcp: string;
  readonly key: { readonly id: string; readonly key: string };
}

async function newServer(): Promise<Server> {
  const slug = `s${++servers}`;
  if (servers === 1) await nodes.admin('POST', '/tenants', { slug: 'acme', name: 'Acme' });
  const path = `/tenants/acme/servers/${slug}`;
  await nodes.admin('PUT', path, { name: slug, tools: [tool('first')], prompts: [] });
  const body = { name: slug, scopes: ['mcp:call'] };
  const key = (await nodes.admin('POST', '/tenants/acme/keys', body)) as Server['key'];
  return { path, mcp: `/mcp/acme/${slug}`, key };
}

async function listenAt(node: 0 | 1, { mcp, key }: Server): Promise<Answer> {
  const notifications = { toolsListChanged: true, promptsListChanged: true };
  const stream = await new ModernClient(nodes.urls[node] + mcp, key.key).listen(notifications);
  streams.push(stream);
  return stream;
}

async function sessionAt(node: 0 | 1, { mcp, key }: Server): Promise<{ session: SessionClient; stream: Answer }> {
  const session = await new SessionClient(nodes.urls[node] + mcp, key.key).open();
  const stream = await session.get();
  streams.push(stream);
  return { session, stream };
}

const heard = (stream: Answer, method: string) => stream.messages.filter((message) => message.method === method).length;
const addTool = (server: Server, name: string, node: 0 | 1 = 0) =>
  nodes.admin('POST', `${server.path}/tools`, tool(name), node);
const addPrompt = (server: Server, name: string, node: 0 | 1 = 0) =>
  nodes.admin('POST', `${server.path}/prompts`, { name, description: name, messages: [] }, node);

describe('an edit on one node', () => {
  it('is heard once by every stream and every session, on whichever node', async () => {
    const server = await newServer();
    const { stream: one } = await sessionAt(0, server);
    const { stream: two } = await sessionAt(1, server);
    const all = [one, two, await listenAt(0, server), await listenAt(1, server)];
    await addTool(server, 'second');
    for (const stream of all) await stream.notified(TOOLS);
    await addTool(server, 'third', 1);
    await vi.waitFor(() => expect(all.map((stream) => heard(stream, TOOLS))).toEqual([2, 2, 2, 2]), 10_000);
    await addPrompt(server, 'greet');
    for (const stream of all) await stream.notified(PROMPTS);
    expect(all.map((stream) => heard(stream, TOOLS))).toEqual([2, 2, 2, 2]);
    expect(all.map((stream) => heard(stream, PROMPTS))).toEqual([1, 1, 1, 1]);
  });

  it('is in the log of a session whose stream nobody holds, though no node has the server in memory', async () => {
    const server = await newServer();
    const { session, stream } = await sessionAt(0, server);
    await addTool(server, 'second');
    const { id } = await stream.notified(TOOLS);
    stream.destroy();
    for (const app of nodes.apps) app.nest.get(HostedServers).dropAll();
    await addPrompt(server, 'greet', 1);
    const again = await session.at(nodes.urls[1] + server.mcp).get(id);
    streams.push(again);
    await again.notified(PROMPTS);
    expect([heard(again, TOOLS), heard(again, PROMPTS)]).toEqual([0, 1]);
  });
});

describe('what is said to the clients of a server', () => {
  it('reaches sessions and streams of every node once', async () => {
    const server = await newServer();
    const { stream: one } = await sessionAt(0, server);
    const { stream: two } = await sessionAt(1, server);
    const all = [one, two, await listenAt(0, server), await listenAt(1, server)];
    const message = { level: 'error', data: 'closed' };
    await nodes.admin('POST', `${server.path}/notify`, { listChanged: ['tools'], message });
    for (const stream of all) await stream.notified(TOOLS);
    for (const stream of [one, two]) await stream.notified('notifications/message');
    await addPrompt(server, 'greet');
    for (const stream of all) await stream.notified(PROMPTS);
    expect(all.map((stream) => heard(stream, TOOLS))).toEqual([1, 1, 1, 1]);
    expect([one, two].map((stream) => heard(stream, 'notifications/message'))).toEqual([1, 1]);
  });
});

describe('the end of a server or a key', () => {
  it('ends sessions and streams of a deleted server on every node', async () => {
    const server = await newServer();
    const open = [await sessionAt(0, server), await sessionAt(1, server)];
    const listens = [await listenAt(0, server), await listenAt(1, server)];
    for (const app of nodes.apps) app.nest.get(HostedServers).dropAll();
    await nodes.admin('DELETE', server.path);
    for (const { stream } of open) await stream.ended();
    for (const stream of listens) await stream.ended();
  });

  it('ends sessions and streams of a revoked key on every node', async () => {
    const server = await newServer();
    const open = [await sessionAt(0, server), await sessionAt(1, server)];
    const listens = [await listenAt(0, server), await listenAt(1, server)];
    await nodes.admin('DELETE', `/tenants/acme/keys/${server.key.id}`);
    for (const { stream } of open) await stream.ended();
    for (const stream of listens) await stream.ended();
  });

  it('ends those of a deleted tenant', async () => {
    const server = await newServer();
    const { stream } = await sessionAt(1, server);
    const listen = await listenAt(0, server);
    await nodes.admin('DELETE', '/tenants/acme');
    await stream.ended();
    await listen.ended();
  });
});
