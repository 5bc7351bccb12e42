import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { mintApiKey, mintSessionToken } from '../../src/infra/crypto/index.js';
import { ADMIN_TOKEN } from '../harness/management.js';
import { freePort } from '../harness/node-process.js';
import { Backend } from '../wire/backend.js';
import { SessionClient, textOf } from '../wire/clients.js';
import { code, everyKind } from '../wire/documents.js';
import { isReady } from './cluster.js';
import { ResumingReader } from './resuming-reader.js';
import { BUNDLE, startConsole, startTopology, type Topology } from './topology.js';

/** The bare name is in libraries that treat loopback in a way of its own. */
const ADDRESS = /\w:\/\/(localhost|127\.0\.0\.1)|(localhost|127\.0\.0\.1):\d/;

const backend = new Backend();
let topology: Topology;
let key: string;
const endpoint = () => `${topology.url}/mcp/acme/kinds`;

beforeAll(async () => {
  await backend.start();
  topology = await startTopology([backend.host]);
  const { cluster } = topology;
  await cluster.tenant('acme');
  await cluster.server('acme', 'kinds', everyKind(backend.url));
  key = (await cluster.key('acme')).key;
}, 120_000);
afterEach(async () => {
  const { nodes } = topology.cluster;
  await Promise.all(nodes.map((node) => node.alive || node.restart()));
  await Promise.all(nodes.map(isReady));
}, 90_000);
afterAll(async () => {
  await topology?.stop();
  await backend.stop();
}, 90_000);

describe('one host name', () => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${topology.url}${path}`, { headers, redirect: 'manual' });

  it('shows strangers the sign-in page, at the address they asked', async () => {
    const away = await get('/tenants');
    expect(away.status).toBeGreaterThanOrEqual(300);
    const to = new URL(away.headers.get('location') ?? '', topology.url);
    expect([to.origin, to.pathname]).toEqual([topology.url, '/login']);
    // To the set-up, as long as there is nobody.
    const page = await fetch(`${topology.url}/login`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/html/)]);
    const script = /src="(\/_next\/static\/[^"]+\.js)"/.exec(await page.text())?.[1] as string;
    expect((await get(script)).status).toBe(200);
  });

  it('serves the API to programs and to the pages of the console, on the same paths', async () => {
    const bearer = { authorization: `Bearer ${ADMIN_TOKEN}` };
    expect((await get('/api/v1/tenants', bearer)).status).toBe(200);
    expect((await get('/api/v1/tenants')).status).toBe(401);
    expect((await get('/api/openapi.json')).status).toBe(200);
    expect((await get('/api/docs')).status).toBe(200);
    expect((await get('/readyz')).status).toBe(200);
    const password = 'a long enough password';
    const person = { adminToken: ADMIN_TOKEN, email: 'ada@example.com', name: 'Ada', password };
    const signedIn = await fetch(`${topology.url}/api/setup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: topology.url },
      body: JSON.stringify(person),
    });
    expect([signedIn.status, await signedIn.text()]).toEqual([204, '']);
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] as string;
    const mine = await get('/api/v1/me', { cookie });
    expect([mine.status, await mine.json()]).toEqual([200, expect.objectContaining({ email: 'ada@example.com' })]);
    expect((await get('/tenants', { cookie })).status).toBe(200);
    // A program beside an open console is still a program.
    const both = await get('/api/v1/me', { ...bearer, cookie });
    expect(await both.json()).toMatchObject({ kind: 'automation' });
  });

  it('publishes addresses under that name', async () => {
    const refused = await fetch(endpoint(), {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect(refused.status).toBe(401);
    const { body } = await topology.cluster.admin('GET', '/tenants/acme/servers');
    expect(body.items[0].endpoint).toBe(endpoint());
  });
});

describe('whom the nodes take a request to come from', () => {
  /** Guesses until it is told to wait; gives the last status. Each guess claims to come from elsewhere. */
  async function guess(from: string, guesses: number, path: string, headers: () => Record<string, string>) {
    let status = 0;
    for (let n = 0; n < guesses && status !== 429; n += 1) {
      const claims = {
        'x-forwarded-for': `203.0.113.${n}`,
        'x-real-ip': `203.0.113.${n}`,
        forwarded: 'for=203.0.113.9',
      };
      const request = httpRequest(`${topology.url}${path}`, {
        localAddress: from,
        agent: false,
        headers: { ...claims, ...headers() },
      });
      request.end();
      const [response] = await once(request, 'response');
      response.resume();
      status = response.statusCode;
    }
    return status;
  }

  // What one node lets an address ask for, twice, and what is given back meanwhile.
  const MANY = 200;

  it.each([
    ['a program', '/mcp/acme/kinds', () => ({ authorization: `Bearer ${mintApiKey().key}` })],
    [
      'a page of the console',
      '/api/v1/me',
      () => ({ cookie: `gantry_session_${new URL(topology.url).port}=${mintSessionToken()}` }),
    ],
  ] as const)('is whoever connected to the proxy, whatever %s claims', async (_who, path, headers) => {
    expect(await guess('127.0.0.2', MANY, path, headers)).toBe(429);
    expect(await guess('127.0.0.3', 1, path, headers)).toBe(401);
  });
});

describe('the proxy', () => {
  it('passes events within 300 ms of their making, uncompressed, whatever the client accepts (SSE-02)', async () => {
    await topology.cluster.server('acme', 'ticks', {
      name: 'ticks',
      tools: [
        code(
          'tick',
          'for (let i = 1; i <= 21; i += 1) { ctx.progress(i, 21, String(Date.now())); await ctx.sleep(20); } return "done";',
        ),
      ],
    });
    const client = await new SessionClient(`${topology.url}/mcp/acme/ticks`, key).open();
    const params = { name: 'tick', arguments: {}, _meta: { progressToken: 1 } };
    const message = { jsonrpc: '2.0', id: 'tick', method: 'tools/call', params };
    const answer = await client.post(message, { 'accept-encoding': 'gzip, br' });
    const gaps: number[] = [];
    answer.frames.each(({ message: sent }) => {
      if (sent?.method === 'notifications/progress') gaps.push(Date.now() - Number(sent.params.message));
    });
    expect(textOf(await answer.result())).toBe('done');
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(gaps).toHaveLength(21);
    // What is held back is held back every time; a busy machine is late now and then.
    expect(gaps.sort((x, y) => x - y)[10]).toBeLessThan(300);
  });

  it('passes an event while the call still waits for its backend, and one of the standalone stream at once (SSE-02)', async () => {
    const client = await new SessionClient(endpoint(), key).open();
    const standalone = await client.get();
    const at = 'behind-nginx';
    const answer = await client.call('slow_charge', { at }, { meta: { progressToken: 1 } });
    await answer.notified('notifications/progress', ({ progress }) => progress === 1);
    const said = { message: { level: 'error', data: 1 } };
    await topology.cluster.admin('POST', '/tenants/acme/servers/kinds/notify', said);
    await standalone.notified('notifications/message');
    (await backend.arrived(`/held/${at}`)).answer('go');
    expect(textOf(await answer.result())).toBe('charged');
    standalone.destroy();
  });

  it('holds no session to a node: each of them serves it', async () => {
    const client = await new SessionClient(endpoint(), key).open();
    const [one, two] = topology.cluster.nodes;
    for (const node of [one, two]) {
      await node?.kill();
      for (let i = 0; i < 10; i += 1) expect((await client.ask('tools/list')).status).toBe(200);
      await node?.restart();
    }
    expect(textOf(await (await client.call('steps', { n: 1 })).result())).toBe('stepped');
  });

  it('loses no session, stream or event when a node is killed', async () => {
    const clients = await Promise.all(Array.from({ length: 6 }, () => new SessionClient(endpoint(), key).open()));
    const readers = await Promise.all(clients.map(async (client) => new ResumingReader(client, await client.get())));
    const { cluster } = topology;
    const say = (data: number) =>
      cluster.admin('POST', '/tenants/acme/servers/kinds/notify', { message: { level: 'error', data } });
    for (let n = 1; n <= 10; n += 1) {
      await say(n);
      if (n === 4) await cluster.node(0).kill();
    }
    for (const reader of readers) {
      const said = (await reader.count(10, 20_000)).map(({ params }) => params.data);
      expect(said).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      await reader.stop();
    }
    for (const client of clients) expect((await client.ask('ping')).status).toBe(200);
  });

  it('leads streams past a node that is drained, and leaves it the calls', async () => {
    const { cluster } = topology;
    const id = await cluster.node(0).id();
    const client = await new SessionClient(endpoint(), key).open();
    const direct = { ...client.headers, accept: 'text/event-stream' };
    expect((await cluster.admin('POST', `/nodes/${id}/drain`)).status).toBe(200);
    try {
      const refused = await fetch(cluster.node(0).mcpUrl('acme', 'kinds'), {
        headers: direct as Record<string, string>,
      });
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
      await refused.body?.cancel();
      for (let i = 0; i < 10; i += 1) {
        const stream = await client.get();
        expect(stream.status).toBe(200);
        stream.destroy();
        expect((await client.ask('ping')).status).toBe(200);
      }
    } finally {
      expect((await cluster.admin('POST', `/nodes/${id}/undrain`)).status).toBe(200);
    }
  });

  it('lets a node refuse a body in its own words', async () => {
    const client = await new SessionClient(endpoint(), key).open();
    const huge = await client.call('echo', { text: 'x'.repeat(5 * 1024 * 1024) }).catch(() => undefined);
    // Whoever still sends when it is refused may see the connection end instead.
    if (huge !== undefined) expect(huge.status).toBe(413);
    expect((await client.ask('ping')).status).toBe(200);
  });
});

describe('the console', () => {
  it('is one build for any public name: what browsers load names no address (DEP-05)', async () => {
    const files = readdirSync(BUNDLE, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(5);
    const named = files.filter(({ parentPath, name }) => ADDRESS.test(readFileSync(join(parentPath, name), 'utf8')));
    expect(named.map(({ name }) => name)).toEqual([]);
    for (const publicUrl of ['https://a.test', 'https://b.test']) {
      const port = await freePort();
      const API_URL = topology.cluster.node(0).url;
      const started = await startConsole(port, { API_URL, ADMIN_URL: publicUrl, PUBLIC_URL: publicUrl });
      const page = await fetch(`http://127.0.0.1:${port}/login`);
      expect(page.headers.get('content-security-policy')).toContain(`connect-src 'self' ${publicUrl}`);
      expect(await page.text()).not.toMatch(ADDRESS);
      await started.stop();
    }
  });
});
