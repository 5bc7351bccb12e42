import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Session, SessionDetail, SessionEnded, SessionMessagePage, SessionPage } from '@gantry/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ADMIN_TOKEN } from '../../../test/harness/api.js';
import { useNodePair } from '../../../test/support/node-pair.js';
import { ModernClient, SessionClient } from '../../../test/wire/clients.js';
import type { Answer } from '../../../test/wire/exchange.js';
import type { TopicListeners } from '../../infra/nodes/node-channel.js';
import { NODE_CHANNEL, NODE_ID } from '../../infra/tokens.js';

const nodes = useNodePair();
const streams: Answer[] = [];
let tenants = 0;
let backend: Server;
/** Requests that reached the backend, and whether whoever sent it went away. */
const reached: { gone: Promise<void> }[] = [];

beforeAll(async () => {
  backend = createServer((_request, response) => {
    reached.push({ gone: new Promise((resolve) => response.once('close', resolve)) });
  });
  await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  backend.closeAllConnections();
  backend.close();
});
afterEach(() => {
  for (const stream of streams.splice(0)) stream.destroy();
  reached.splice(0);
  vi.restoreAllMocks();
});

const id = (node: 0 | 1) => nodes.apps[node].nest.get<string>(NODE_ID);

/** A tenant with a server, and its endpoint on both nodes. */
async function newTenant() {
  const tenant = `t${++tenants}`;
  const { port } = backend.address() as AddressInfo;
  await nodes.admin('POST', '/tenants', { slug: tenant, name: tenant });
  await nodes.admin('PATCH', `/tenants/${tenant}`, { limits: { egressAllow: [`127.0.0.1:${port}`] } });
  const inputSchema = { type: 'object' };
  await nodes.admin('PUT', `/tenants/${tenant}/servers/main`, {
    name: 'Main',
    tools: [
      { name: 'greet', description: 'Greets.', inputSchema, template: { text: 'Hi' } },
      {
        name: 'fetch',
        description: 'Fetches.',
        inputSchema,
        timeoutMs: 60_000,
        http: { method: 'GET', url: `http://127.0.0.1:${port}/slow` },
      },
    ],
  });
  const made = (await nodes.admin('POST', `/tenants/${tenant}/keys`, { name: 'k', scopes: ['mcp:call'] })) as {
    key: string;
  };
  const [first, second] = nodes.urls.map((url) => `${url}/mcp/${tenant}/main`) as [string, string];
  return { tenant, path: `/tenants/${tenant}/sessions`, key: made.key, first, second };
}

const get = <T>(path: string, node: 0 | 1 = 0) => nodes.admin('GET', path, undefined, node) as Promise<T>;
const ids = ({ items }: SessionPage) => items.map((one) => one.id);
/** Waits until a detail says what it should. */
async function detail(path: string, fits: (found: SessionDetail) => boolean): Promise<SessionDetail> {
  return vi.waitFor(
    async () => {
      const found = await get<SessionDetail>(path);
      if (!fits(found)) throw new Error(`not yet: ${JSON.stringify(found)}`);
      return found;
    },
    { timeout: 20_000 },
  );
}
async function openStream(session: SessionClient): Promise<Answer> {
  const stream = await session.get();
  streams.push(stream);
  return stream;
}
async function status(method: string, path: string, node: 0 | 1 = 0): Promise<number> {
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
  return (await fetch(`${nodes.urls[node]}/api/v1${path}`, { method, headers })).status;
}

describe('the list of sessions', () => {
  it('shows those of all nodes with what each node holds, whichever is asked', async () => {
    const { path, key, first, second } = await newTenant();
    const one = await new SessionClient(first, key).open();
    const two = await new SessionClient(second, key).open();
    await openStream(one.at(second));
    await (await one.call('greet')).result();
    // Its head has come before it shows the log.
    await expect.poll(async () => (await get<SessionPage>(path)).items[0]?.streams).toBe(1);
    for (const node of [0, 1] as const) {
      const page = await get<SessionPage>(path, node);
      expect(ids(page)).toEqual([one.sessionId, two.sessionId]);
      expect(page.silentNodes).toEqual([]);
      expect(page.items[0]).toMatchObject({
        era: 'session',
        revision: '2025-11-25',
        server: 'main',
        client: { name: 'wire', version: '1.0.0' },
        principal: expect.stringMatching(/^key:/),
        state: 'active',
        inFlight: 0,
        streams: 1,
        // initialize and the call
        calls: 2,
        errors: 0,
      });
      expect(page.items[1]).toMatchObject({ node: id(1), streams: 0, calls: 1 });
    }
  });

  it('gives every session and client once over its pages, and those alone that a filter means', async () => {
    const { path, key, first, second } = await newTenant();
    const sessions = await Promise.all([first, second, first].map((url) => new SessionClient(url, key).open()));
    await (await new ModernClient(second, key).call('greet')).result();
    const walk = async (query: string) => {
      const all: Session[] = [];
      let cursor: string | undefined;
      do {
        const page: SessionPage = await get(`${path}?limit=1${query}${cursor ? `&cursor=${cursor}` : ''}`);
        all.push(...page.items);
        cursor = page.nextCursor;
      } while (cursor !== undefined && all.length < 10);
      return all.map(({ id: name, era }) => (era === 'stateless' ? era : name));
    };
    const three = sessions.map(({ sessionId }) => sessionId).sort();
    const all = await walk('');
    expect([all.slice(0, 3).sort(), all.slice(3)]).toEqual([three, ['stateless']]);
    expect((await walk('&era=session')).sort()).toEqual(three);
    expect(await walk('&era=stateless')).toEqual(['stateless']);
    expect((await walk('&client=wire')).sort()).toEqual(three);
    expect(await walk(`&q=${three[1]!.toUpperCase()}`)).toEqual([three[1]]);
    expect((await walk(`&node=${id(1)}`)).sort()).toEqual([sessions[1]!.sessionId, 'stateless'].sort());
    expect(await walk('&server=other')).toEqual([]);
    expect(await walk('&state=idle')).toEqual([]);
  });

  it('names a node that does not answer', async () => {
    const { path, key, first } = await newTenant();
    const session = await new SessionClient(first, key).open();
    const { listeners } = nodes.apps[1].nest.get<{ listeners: TopicListeners }>(NODE_CHANNEL);
    vi.spyOn(listeners, 'tell').mockImplementation(() => {});
    const page = await get<SessionPage>(path);
    expect(ids(page)).toEqual([session.sessionId]);
    expect(page.silentNodes).toEqual([id(1)]);
  });
});

describe('a session', () => {
  it('shows what runs and is open on another node, and the messages of all nodes in their order', async () => {
    const { path, key, first, second } = await newTenant();
    const one = await new SessionClient(first, key).open({ sampling: {} });
    await (await one.call('greet')).result();
    await openStream(one.at(second));
    const call = one.at(second).start('fetch', {}, { id: 'w' });
    const found = await detail(`${path}/${one.sessionId}`, ({ inFlightCalls }) => inFlightCalls.length === 1);
    expect(found).toMatchObject({
      clientCapabilities: { sampling: {} },
      serverCapabilities: { tools: { listChanged: true }, logging: {} },
      logLevel: 'info',
      node: id(1),
      inFlight: 1,
      nodes: expect.arrayContaining([id(0), id(1)]),
      inFlightCalls: [
        {
          requestId: 'w',
          method: 'tools/call',
          tool: 'fetch',
          node: id(1),
        },
      ],
      openStreams: [{ kind: 'standalone', node: id(1), events: 0 }],
    });
    const { items, dropped } = await get<SessionMessagePage>(`${path}/${one.sessionId}/messages`);
    expect(dropped).toBe(0);
    const said = items.map(({ direction, kind, method, name }) => [direction, kind, method, name].join(' ').trim());
    expect(said).toEqual([
      'client request initialize',
      'server response initialize',
      'client notification notifications/initialized',
      'client request tools/call greet',
      'server response tools/call greet',
      'server stream  open',
      'client request tools/call fetch',
    ]);
    expect(items.map(({ node }) => node)).toEqual([...Array(5).fill(id(0)), ...Array(2).fill(id(1))]);
    const answer = items[4]!;
    expect(answer).toMatchObject({ requestId: items[3]!.requestId, bytes: expect.any(Number) });
    expect(answer.durationMs).toBeGreaterThanOrEqual(0);
    call.destroy();
  });

  it('gives its messages page by page', async () => {
    const { path, key, first } = await newTenant();
    const session = await new SessionClient(first, key).open();
    const page: SessionMessagePage = await get(`${path}/${session.sessionId}/messages?limit=2`);
    const rest: SessionMessagePage = await get(
      `${path}/${session.sessionId}/messages?limit=2&cursor=${page.nextCursor}`,
    );
    expect([...page.items, ...rest.items].map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    expect(rest.nextCursor).toBeUndefined();
  });

  it('is ended where it is held, as that node confirms, and its client really loses it', async () => {
    const { tenant, path, key, first, second } = await newTenant();
    const one = await new SessionClient(first, key).open();
    const stream = await openStream(one.at(second));
    const work = one.at(second).start('fetch');
    await detail(`${path}/${one.sessionId}`, ({ streams: open, inFlight }) => open === 1 && inFlight === 1);
    const ended = (await nodes.admin('DELETE', `${path}/${one.sessionId}`)) as SessionEnded;
    expect(ended.silentNodes).toEqual([]);
    expect(ended.nodes).toContainEqual({ node: id(1), calls: 1, streams: 1 });
    await stream.ended();
    expect([(await one.ask('ping')).status, (await one.at(second).ask('ping')).status]).toEqual([404, 404]);
    expect(await status('GET', `${path}/${one.sessionId}`)).toBe(404);
    expect(await status('DELETE', `${path}/${one.sessionId}`)).toBe(404);
    const trail = await get<{ items: { object: string }[] }>(`/tenants/${tenant}/audit?action=session.end`);
    expect(trail.items.map(({ object }) => object)).toEqual([`session/${one.sessionId}`]);
    work.destroy();
  });

  it('has a request cancelled on the node that runs it, once its work has stopped (CAN-01)', async () => {
    const { path, key, first, second } = await newTenant();
    const one = await new SessionClient(first, key).open();
    const call = one.at(second).start('fetch');
    const found = await detail(
      `${path}/${one.sessionId}`,
      ({ inFlightCalls }) => inFlightCalls.length === 1 && reached.length === 1,
    );
    const cancel = `${path}/${one.sessionId}/calls/${found.inFlightCalls[0]!.id}/cancel`;
    expect(await nodes.admin('POST', cancel)).toEqual({ cancelled: true, node: id(1), silentNodes: [] });
    await reached[0]!.gone;
    const answer = await (await call.answer).result();
    expect(answer.error).toMatchObject({ code: -32603, message: expect.stringContaining('cancelled') });
    expect(await nodes.admin('POST', cancel)).toEqual({ cancelled: false, silentNodes: [] });
  });

  it('of another tenant is none, whatever is asked', async () => {
    const { key, first } = await newTenant();
    const { path } = await newTenant();
    const { sessionId } = await new SessionClient(first, key).open();
    expect(ids(await get(path))).toEqual([]);
    const asked = [
      ['GET', ''],
      ['GET', '/messages'],
      ['DELETE', ''],
      ['POST', '/calls/x.1/cancel'],
    ] as const;
    for (const [method, more] of asked) expect(await status(method, `${path}/${sessionId}${more}`)).toBe(404);
  });
});

describe('a stateless client', () => {
  it('is one over all nodes, and what it has open is ended with a result', async () => {
    const { path, key, first, second } = await newTenant();
    const client = new ModernClient(first, key);
    await (await client.call('greet')).result();
    const there = new ModernClient(second, key);
    await (await there.call('greet')).result();
    const listen = await there.listen();
    streams.push(listen);
    const [row] = (await get<SessionPage>(path)).items;
    expect(row).toMatchObject({ era: 'stateless', revision: '2026-07-28', calls: 2, streams: 1, inFlight: 0 });
    expect(row?.id).toMatch(/^stateless:/);
    const found = await get<SessionDetail>(`${path}/${encodeURIComponent(row!.id)}`);
    expect(found.openStreams).toMatchObject([{ kind: 'listen', node: id(1) }]);
    expect(await status('DELETE', `${(await newTenant()).path}/${row!.id}`)).toBe(404);
    const ended = (await nodes.admin('DELETE', `${path}/${row!.id}`)) as SessionEnded;
    expect(ended.nodes).toContainEqual({ node: id(1), calls: 0, streams: 1 });
    expect((await listen.result()).result).toBeDefined();
  });
});
