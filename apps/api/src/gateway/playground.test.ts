import { systemClock } from '@gantry/mcp-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_TOKEN, useApi } from '../../test/harness/api.js';
import { addMember, addPerson, buildWorld, openSession, unique, type World } from '../../test/support/world.js';
import { CallLog } from '../modules/calls/call-log.js';

const QUARTER_MS = 15 * 60_000;
let ahead = 0;
const now = () => systemClock.now() + ahead;
/** Told of the timers that a token's end may be among. */
let timerSet: ((run: () => void) => void) | undefined;
function setTimer(ms: number, run: () => void) {
  if (ms > QUARTER_MS - 60_000 && ms < QUARTER_MS) timerSet?.(run);
  return systemClock.setTimer(ms, run);
}
const api = useApi({ clock: { now, setTimer } });
let world: World;
beforeAll(async () => {
  world = await buildWorld(api);
});
afterEach(() => {
  ahead = 0;
});

const SERVERS = '/api/v1/tenants/acme/servers';
const ask = (as: string | null = world.tokens.developer, server = 'orders') =>
  api.post(`${SERVERS}/${server}/playground-token`, undefined, { as });
const tokenOf = async (as?: string | null) => (await ask(as)).json().token as string;

/** A `tools/call` of 2026-07-28. */
function call(as: string, path = '/mcp/acme/orders') {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name: 'greet', arguments: { who: 'Ada' }, _meta };
  return api.post(
    path,
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    {
      as,
      headers: {
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'greet',
      },
    },
  );
}

const SESSION = { accept: 'application/json, text/event-stream' };
function initialize(as: string) {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'playground', version: '1' } };
  return api.post(
    '/mcp/acme/orders',
    { jsonrpc: '2.0', id: 1, method: 'initialize', params },
    { as, headers: SESSION },
  );
}

describe('a playground token', () => {
  it("opens the server's endpoint for a quarter of an hour, in the person's name", async () => {
    const before = now();
    const opened = await ask();
    expect(opened.statusCode).toBe(201);
    const { token, expiresAt, endpoint } = opened.json();
    expect(token).toMatch(/^gtp_/);
    expect(new URL(endpoint).pathname).toBe('/mcp/acme/orders');
    expect(Date.parse(expiresAt) - before).toBeGreaterThanOrEqual(QUARTER_MS - 1);
    expect(Date.parse(expiresAt) - before).toBeLessThan(QUARTER_MS + 20_000);
    const answer = await call(token);
    expect([answer.statusCode, answer.json().result.content[0].text]).toEqual([200, 'Hello Ada']);

    const [entry] = (await api.get('/api/v1/tenants/acme/audit?action=playground.open')).json().items;
    expect(entry).toMatchObject({ object: 'server/orders', detail: { expiresAt } });
    expect(JSON.stringify(entry)).not.toContain(token);
    await api.app.nest.get(CallLog).flush();
    const [logged] = (await api.get('/api/v1/tenants/acme/calls')).json().items;
    expect(logged).toMatchObject({ tool: 'greet', source: 'console', principal: entry.actor });
    expect(entry.actor).toMatch(/^user:/);
  });

  it('continues the sessions that another token of the same person opened, and nobody else', async () => {
    const opened = await initialize(await tokenOf());
    const headers = { ...SESSION, 'mcp-session-id': String(opened.headers['mcp-session-id']) };
    const ping = async (as: string) =>
      (await api.post('/mcp/acme/orders', { jsonrpc: '2.0', id: 2, method: 'ping' }, { as, headers })).statusCode;
    expect(opened.statusCode).toBe(200);
    expect(await ping(await tokenOf())).toBe(200);
    expect(await ping(await tokenOf(world.tokens.owner))).toBe(404);
    expect(await ping(world.tokens.callKey as string)).toBe(404);
  });

  it('is 401 at every other server, in this tenant and in others', async () => {
    const token = await tokenOf();
    for (const path of ['/mcp/acme/elsewhere', '/mcp/rival/orders']) {
      const refused = await call(token, path);
      expect([path, refused.statusCode]).toEqual([path, 401]);
      expect(refused.headers['www-authenticate']).toContain('error="invalid_token"');
    }
  });

  it('is 401 at a server that took the place of its own', async () => {
    const slug = await world.freshServer();
    const { token } = (await ask(undefined, slug)).json();
    expect((await call(token, `/mcp/acme/${slug}`)).statusCode).toBe(200);
    await api.delete(`${SERVERS}/${slug}`);
    await api.put(`${SERVERS}/${slug}`, { name: 'New' });
    expect((await call(token, `/mcp/acme/${slug}`)).statusCode).toBe(401);
  });

  it('is 401 when it was changed, and at the management API in any case', async () => {
    const token = await tokenOf();
    expect((await call(`${token}A`)).statusCode).toBe(401);
    expect((await call(token.slice(0, -1))).statusCode).toBe(401);
    for (const url of ['/api/v1/me', SERVERS, '/api/v1/tenants/acme/calls']) {
      expect([url, (await api.get(url, { as: token })).statusCode]).toEqual([url, 401]);
    }
    expect((await ask(token)).statusCode).toBe(401);
  });

  it('ends by itself', async () => {
    const token = await tokenOf();
    ahead = QUARTER_MS - 60_000;
    expect((await call(token)).statusCode).toBe(200);
    ahead = QUARTER_MS + 1;
    const refused = await call(token);
    expect(refused.statusCode).toBe(401);
    expect(refused.headers['www-authenticate']).toContain('error="invalid_token"');
  });

  it('ends the stream that it opened', async () => {
    const token = await tokenOf();
    const armed = new Promise<() => void>((resolve) => {
      timerSet = resolve;
    });
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const params = { notifications: { toolsListChanged: true }, _meta };
    const headers = {
      ...SESSION,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
    };
    const message = { jsonrpc: '2.0', id: 7, method: 'subscriptions/listen', params };
    // Answered as a whole only when it ends.
    const answer = api.post('/mcp/acme/orders', message, { as: token, headers });
    const whenOver = await armed;
    ahead = QUARTER_MS;
    whenOver();
    const listened = await answer;
    expect(listened.statusCode).toBe(200);
    expect(listened.body).toContain('"id":7');
  });

  it('is given to automation too, and to no key', async () => {
    const { token } = (await ask(ADMIN_TOKEN)).json();
    expect((await call(token)).statusCode).toBe(200);
    for (const key of ['writeKey', 'narrowKey'] as const) {
      const refused = await ask(world.tokens[key]);
      expect(refused.statusCode).toBe(403);
      expect(refused.json()).toMatchObject({
        code: 'forbidden',
        detail: 'A playground token stands for a person; an API key opens the endpoint itself.',
      });
    }
  });

  it('needs the right to try, and a server with something published', async () => {
    expect((await ask(world.tokens.viewer)).statusCode).toBe(403);
    expect((await ask(world.tokens.stranger)).statusCode).toBe(404);
    expect((await ask(undefined, 'nothing')).statusCode).toBe(404);
    const slug = unique();
    await api.put(`${SERVERS}/${slug}?draft=true`, { name: 'Draft' });
    const refused = await ask(undefined, slug);
    expect(refused.statusCode).toBe(409);
    expect(refused.json().detail).toContain('Publish it first.');
  });

  it('stands for the person of its tenant, also where another tenant has a server of that name', async () => {
    const person = await addPerson(api, 'stranger');
    await addMember(api, 'rival', person, 'developer');
    const as = await openSession(api, person);
    expect((await ask(as)).statusCode).toBe(404);
    const { token } = (
      await api.post('/api/v1/tenants/rival/servers/orders/playground-token', undefined, { as })
    ).json();
    expect((await call(token, '/mcp/rival/orders')).statusCode).toBe(200);
    expect((await call(token)).statusCode).toBe(401);
  });

  it('is remembered nowhere', async () => {
    const token = await tokenOf();
    const tables = await api.db.superuser.query(
      `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'`,
    );
    for (const { table_name } of tables.rows) {
      const found = await api.db.superuser.query(`SELECT 1 FROM "${table_name}" t WHERE t::text LIKE $1`, [
        `%${token.slice(17, 60)}%`,
      ]);
      expect([table_name, found.rowCount]).toEqual([table_name, 0]);
    }
  });
});
