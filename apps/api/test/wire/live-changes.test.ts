import { afterEach, describe, expect, it, vi } from 'vitest';
import type { NewKey } from '../harness/process.js';
import { bearer, ModernClient, SessionClient, textOf } from './clients.js';
import { type Answer, refusal } from './exchange.js';
import { type Official, officialClients } from './official.js';
import { useWorld } from './world.js';

const world = useWorld();
let servers = 0;
let clients: Official[] = [];

afterEach(async () => {
  for (const client of clients) await client.close();
  clients = [];
});

/** A server of its own, so that no test hears of another's changes. */
async function newServer(): Promise<{ slug: string; url: string; path: string; key: NewKey }> {
  const slug = `live-${++servers}`;
  await world.gantry.server('acme', slug, { name: slug });
  const key = await world.gantry.key('acme');
  return { slug, url: world.gantry.mcpUrl('acme', slug), path: `/tenants/acme/servers/${slug}`, key };
}

function tool(name: string, text = name): object {
  return { name, description: name, inputSchema: { type: 'object' }, template: { text } };
}

async function addTool(path: string, name: string): Promise<void> {
  expect((await world.gantry.admin('POST', `${path}/tools`, tool(name))).status).toBe(201);
}

describe('a tool registered while clients are connected', () => {
  it('reaches streams of both eras and is callable at once', async () => {
    const { url, path, key } = await newServer();
    const session = await new SessionClient(url, key.key).open();
    const modern = new ModernClient(url, key.key);
    const stream = await session.get();
    const listen = await modern.listen();
    await addTool(path, 'fresh');
    expect(textOf(await (await modern.call('fresh')).result())).toBe('fresh');
    expect(textOf(await (await session.call('fresh')).result())).toBe('fresh');
    const event = await stream.notified('notifications/tools/list_changed');
    expect(event.id).toBeDefined();
    await listen.notified('notifications/tools/list_changed');
    const { tools } = (await (await session.ask('tools/list')).result()).result;
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(['fresh']);
    stream.destroy();
    listen.destroy();
  });

  it.each(Object.entries(officialClients))('reaches %s', async (_name, connect) => {
    const { url, path, key } = await newServer();
    const client = await connect({ url, key: key.key });
    clients.push(client);
    // Whether its stream is open yet is the client's own affair, so a change is made until one is heard of.
    let made = 0;
    await vi.waitFor(
      async () => {
        await addTool(path, `tool_${++made}`);
        await client.listChanges.first('list_changed', () => true, { ms: 500 });
      },
      { timeout: 15_000, interval: 1 },
    );
    expect((await client.call(`tool_${made}`, {})).content[0].text).toBe(`tool_${made}`);
    expect((await client.list()).names).toHaveLength(made);
  });

  it('is kept for a session whose stream is not open', async () => {
    const { url, path, key } = await newServer();
    const session = await new SessionClient(url, key.key).open();
    const first = await session.get();
    await addTool(path, 'one');
    const { id } = await first.notified('notifications/tools/list_changed');
    first.destroy();
    await addTool(path, 'two');
    expect(textOf(await (await session.call('two')).result())).toBe('two');
    const again = await session.get(id);
    await again.notified('notifications/tools/list_changed');
    again.destroy();
  });

  it('is heard of on exactly one stream of the session (wire B7)', async () => {
    const { url, path, key } = await newServer();
    await world.gantry.admin('POST', `${path}/tools`, {
      ...tool('held'),
      template: undefined,
      http: { url: `${world.backend.url}/held/b7` },
    });
    const session = await new SessionClient(url, key.key).open();
    const stream = await session.get();
    const call = session.start('held', {}, { meta: { progressToken: 1 } });
    const held = await world.backend.arrived('/held/b7');
    await addTool(path, 'seen_once');
    await stream.notified('notifications/tools/list_changed');
    held.answer('ok');
    const answer = await call.answer;
    await answer.result();
    expect(answer.messages.filter(({ method }) => method !== undefined)).toEqual([]);
    stream.destroy();
  });

  it('is a change only if the list differs', async () => {
    const { url, path, key } = await newServer();
    const listen = await new ModernClient(url, key.key).listen();
    const document = (await world.gantry.admin('GET', path)).body;
    await world.gantry.admin('PUT', path, { ...document, instructions: 'New words.' });
    await addTool(path, 'then');
    await listen.notified('notifications/tools/list_changed');
    expect(listen.messages).toHaveLength(2);
    listen.destroy();
  });
});

describe('a list that is taken out of a server', () => {
  const offered = {
    prompts: [{ name: 'greet', description: 'greet', messages: [] }],
    resources: [{ uri: 'docs://a', name: 'a', description: 'a', text: 'a' }],
  };
  const LISTS = ['notifications/prompts/list_changed', 'notifications/resources/list_changed'];
  const ALL = {
    toolsListChanged: true,
    promptsListChanged: true,
    resourcesListChanged: true,
    resourceSubscriptions: ['docs://a'],
  };

  it('is told of like any change and answers at once as a method that is not there; streams and subscriptions stay', async () => {
    const { url, slug, path, key } = await newServer();
    await world.gantry.admin('PUT', path, { name: slug, ...offered });
    const session = await new SessionClient(url, key.key).open();
    const modern = new ModernClient(url, key.key);
    expect((await session.ask('resources/subscribe', { uri: 'docs://a' })).status).toBe(200);
    const streams = [await session.get(), await modern.listen(ALL)];

    await world.gantry.admin('PUT', path, { name: slug });
    for (const stream of streams) for (const method of LISTS) await stream.notified(method);
    for (const [method, params] of [
      ['prompts/list', {}],
      ['prompts/get', { name: 'greet' }],
      ['resources/list', {}],
      ['resources/read', { uri: 'docs://a' }],
    ] as const) {
      expect([method, await refusal(await session.ask(method, params))]).toEqual([method, [200, -32601]]);
      expect([method, await refusal(await modern.ask(method, params))]).toEqual([method, [404, -32601]]);
    }

    const before = streams.map(({ frames }) => frames.all.length);
    await world.gantry.admin('PUT', path, { name: slug, ...offered, tools: [tool('still')] });
    for (const [index, { frames }] of streams.entries()) {
      for (const method of [...LISTS, 'notifications/tools/list_changed']) {
        await frames.first(`${method} again`, ({ message }) => message?.method === method, { from: before[index] });
      }
    }
    expect((await world.gantry.admin('POST', `${path}/notify`, { resourceUpdated: 'docs://a' })).status).toBe(202);
    for (const stream of streams) {
      await stream.notified('notifications/resources/updated');
      stream.destroy();
    }
    expect((await (await session.ask('resources/read', { uri: 'docs://a' })).result()).result.contents).toHaveLength(1);
  });
});

/** Open streams of a key: a session's and a listen. */
async function openStreams(url: string, key: string): Promise<{ session: SessionClient; streams: Answer[] }> {
  const session = await new SessionClient(url, key).open();
  return { session, streams: [await session.get(), await new ModernClient(url, key).listen()] };
}

describe('a server that is deleted', () => {
  it('is 404, and its sessions and listens end', async () => {
    const { url, path, key } = await newServer();
    const { session, streams } = await openStreams(url, key.key);
    expect((await world.gantry.admin('DELETE', path)).status).toBe(204);
    for (const stream of streams) await stream.ended();
    expect(streams[1]?.messages.at(-1)).toMatchObject({ result: { resultType: 'complete' } });
    expect((await session.ask('ping')).status).toBe(404);
    expect((await new ModernClient(url, key.key).ask('tools/list')).status).toBe(404);
  });

  it('takes no session of its namesake along that came after it', async () => {
    const { url, slug, path, key } = await newServer();
    const { session } = await openStreams(url, key.key);
    await world.gantry.admin('DELETE', path);
    await world.gantry.server('acme', slug, { name: 'again', tools: [tool('again')] });
    expect((await session.ask('ping')).status).toBe(404);
    const fresh = await new SessionClient(url, key.key).open();
    expect(textOf(await (await fresh.call('again')).result())).toBe('again');
  });

  it('goes with its tenant', async () => {
    await world.gantry.tenant('brief');
    await world.gantry.server('brief', 'one', { name: 'one' });
    const { key } = await world.gantry.key('brief');
    const url = world.gantry.mcpUrl('brief', 'one');
    const { streams } = await openStreams(url, key);
    expect((await world.gantry.admin('DELETE', '/tenants/brief')).status).toBe(204);
    for (const stream of streams) await stream.ended();
    expect((await new ModernClient(url, key).ask('tools/list')).status).toBe(404);
  });
});

describe('a key', () => {
  it('that is revoked is refused within a second, and its streams end', async () => {
    const { url, key } = await newServer();
    const { session, streams } = await openStreams(url, key.key);
    const modern = new ModernClient(url, key.key);
    expect((await world.gantry.admin('DELETE', `/tenants/acme/keys/${key.id}`)).status).toBe(204);
    const revokedAt = performance.now();
    await vi.waitFor(async () => expect((await modern.ask('tools/list')).status).toBe(401), {
      timeout: 5_000,
      interval: 10,
    });
    expect(performance.now() - revokedAt).toBeLessThan(1_000);
    for (const stream of streams) await stream.ended();
    expect((await session.ask('ping')).status).toBe(401);
    expect((await session.get()).status).toBe(401);
    expect((await session.delete()).status).toBe(401);
  });

  it('that is narrowed to another server is refused like an unknown one', async () => {
    const { url } = await newServer();
    const narrow = await world.gantry.key('acme', { servers: ['kinds'] });
    const refused = await new ModernClient(url, narrow.key).ask('tools/list');
    const unknown = await new ModernClient(url, 'unknown').ask('tools/list');
    expect(refused.status).toBe(401);
    expect(await refused.body()).toBe(await unknown.body());
    expect((await new ModernClient(world.url, narrow.key).ask('tools/list')).status).toBe(200);
  });

  it('of another tenant is refused', async () => {
    await world.gantry.tenant('foreign');
    const { key } = await world.gantry.key('foreign');
    expect((await new ModernClient(world.url, key).ask('tools/list')).status).toBe(401);
  });

  it('that expires is refused, and its streams end', async () => {
    const { url } = await newServer();
    const expiresAt = new Date(Date.now() + 2_500).toISOString();
    const { key } = await world.gantry.key('acme', { expiresAt });
    const listen = await new ModernClient(url, key).listen();
    await listen.ended();
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expiresAt) - 50);
    expect(listen.messages.at(-1)).toMatchObject({ result: { resultType: 'complete' } });
    expect((await new ModernClient(url, key).ask('tools/list')).status).toBe(401);
  });

  it('keeps its sessions and streams when it is rotated with an overlap', async () => {
    const { url, path, key } = await newServer();
    const { session, streams } = await openStreams(url, key.key);
    const rotated = await world.gantry.admin('POST', `/tenants/acme/keys/${key.id}/rotate`, { overlapMs: 600_000 });
    expect([rotated.status, rotated.body.id]).toEqual([200, key.id]);
    expect(rotated.body.key).not.toBe(key.key);
    expect((await session.ask('ping')).status).toBe(200);
    const renewed = new SessionClient(url, rotated.body.key);
    renewed.sessionId = session.sessionId;
    expect((await renewed.ask('ping')).status).toBe(200);
    await addTool(path, 'later');
    for (const stream of streams) {
      await stream.notified('notifications/tools/list_changed');
      stream.destroy();
    }
  });

  it('without an overlap hands its session to the new value', async () => {
    const { url, key } = await newServer();
    const session = await new SessionClient(url, key.key).open();
    const rotated = await world.gantry.admin('POST', `/tenants/acme/keys/${key.id}/rotate`, { overlapMs: 0 });
    await vi.waitFor(async () => expect((await session.ask('ping')).status).toBe(401), {
      timeout: 2_000,
      interval: 10,
    });
    const renewed = new SessionClient(url, rotated.body.key);
    renewed.sessionId = session.sessionId;
    const answer = await renewed.post({ jsonrpc: '2.0', id: 9, method: 'ping' }, bearer(rotated.body.key));
    expect(answer.status).toBe(200);
    expect(await refusal(await session.ask('ping'))).toEqual([401, -32600]);
  });
});
