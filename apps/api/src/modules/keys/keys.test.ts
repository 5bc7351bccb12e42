import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../../../test/harness/api.js';
import { buildWorld, type World } from '../../../test/support/world.js';
import { mintApiKey } from '../../infra/crypto/index.js';
import { PrincipalResolver } from './principal-resolver.js';

const api = useApi();
let world: World;
const keys = '/api/v1/tenants/acme/keys';
beforeAll(async () => {
  world = await buildWorld(api);
});

async function mint(body: object = {}): Promise<{ id: string; key: string; prefix: string }> {
  return (await api.post(keys, { name: 'k', scopes: ['tenant:read'], ...body })).json();
}

async function status(as: string): Promise<number> {
  return (await api.get('/api/v1/me', { as })).statusCode;
}

describe('API keys', () => {
  it('are shown once, and stored as a hash', async () => {
    const made = await mint();
    expect(made.key).toMatch(/^gty_/);
    expect(made.prefix).toBe(made.key.slice(0, made.prefix.length));
    const shown = await api.get(`${keys}/${made.id}`);
    expect(shown.json()).toMatchObject({ id: made.id, name: 'k', scopes: ['tenant:read'], servers: [] });
    expect(shown.body).not.toContain(made.key);
    for (const table of ['api_keys', 'api_key_hashes', 'audit_entries', 'change_log']) {
      const { rows } = await api.db.superuser.query(`SELECT t::text FROM ${table} t`);
      expect(JSON.stringify(rows)).not.toContain(made.key);
    }
  });

  it('are refused within a second once revoked, while they are in use', async () => {
    const { id, key } = await mint();
    expect(await status(key)).toBe(200);
    const revokedAt = Date.now();
    expect((await api.delete(`${keys}/${id}`)).statusCode).toBe(204);
    await expect.poll(() => status(key), { timeout: 1_000, interval: 20 }).toBe(401);
    expect(Date.now() - revokedAt).toBeLessThan(1_000);
    expect((await api.delete(`${keys}/${id}`)).statusCode).toBe(404);
    const [last] = (await api.get('/api/v1/tenants/acme/audit?action=key.revoke')).json().items;
    expect(last).toMatchObject({ object: `key/${id}`, actor: 'automation' });
  });

  it('rotate: both values work until the overlap ends, and the id stays', async () => {
    const first = await mint();
    const second = (await api.post(`${keys}/${first.id}/rotate`, { overlapMs: 60_000 })).json();
    expect(second.id).toBe(first.id);
    expect([await status(first.key), await status(second.key)]).toEqual([200, 200]);
    const third = (await api.post(`${keys}/${first.id}/rotate`, { overlapMs: 0 })).json();
    await expect.poll(() => status(first.key), { timeout: 1_000 }).toBe(401);
    expect([await status(second.key), await status(third.key)]).toEqual([401, 200]);
  });

  it('grant no scope and no server that their giver lacks', async () => {
    const { key } = await mint({ scopes: ['keys:write', 'mcp:call'], servers: ['orders'] });
    const give = async (body: object) => (await api.post(keys, { name: 'g', ...body }, { as: key })).statusCode;
    expect(await give({ scopes: ['mcp:call'], servers: ['orders'] })).toBe(201);
    expect(await give({ scopes: ['mcp:read'], servers: ['orders'] })).toBe(201);
    expect(await give({ scopes: ['tenant:write'], servers: ['orders'] })).toBe(403);
    expect(await give({ scopes: ['mcp:call'], servers: ['orders', 'elsewhere'] })).toBe(403);
    expect(await give({ scopes: ['mcp:call'] })).toBe(403);
  });

  it('cannot be made to hand out the value of a broader key', async () => {
    const broad = await mint({ scopes: ['tenant:write'] });
    const rotate = await api.post(`${keys}/${broad.id}/rotate`, {}, { as: world.tokens.keysKey });
    expect(rotate.statusCode).toBe(403);
    expect(await status(broad.key)).toBe(200);
  });

  it('name servers that exist, and end in the future', async () => {
    const refused = await api.post(keys, { name: 'k', servers: ['orders', 'nowhere'] });
    expect(refused.json().errors).toEqual([{ path: '/servers/1', message: 'there is no server "nowhere"' }]);
    const past = await api.post(keys, { name: 'k', expiresAt: '2001-01-01T00:00:00Z' });
    expect(past.json().errors).toEqual([{ path: '/expiresAt', message: 'must be in the future' }]);
  });

  it('of another tenant do not exist', async () => {
    const { id } = await mint();
    for (const method of ['GET', 'DELETE'] as const) {
      expect((await api.call(method, `/api/v1/tenants/rival/keys/${id}`)).statusCode).toBe(404);
    }
    expect((await api.post(`/api/v1/tenants/rival/keys/${id}/rotate`, {})).statusCode).toBe(404);
    expect((await api.get(`${keys}/not-an-id`)).statusCode).toBe(404);
  });

  it('are listed newest first, and to developers only those of their own making', async () => {
    const own = await world.freshKey('developer');
    const { items } = (await api.get(keys, { as: world.tokens.developer })).json();
    expect(items.map(({ id }: { id: string }) => id)).toContain(own);
    const { rows } = await api.db.superuser.query(
      `SELECT count(*)::int AS n FROM api_keys WHERE created_by = 'automation'`,
    );
    expect(rows[0].n).toBeGreaterThan(0);
    expect(items.length).toBeLessThan(rows[0].n);
    const first = (await api.get(`${keys}?limit=2`)).json();
    const second = (await api.get(`${keys}?limit=2&cursor=${first.nextCursor}`)).json();
    const ids = [...first.items, ...second.items].map(({ id }: { id: string }) => id);
    expect(ids).toEqual([...ids].sort().reverse());
    expect(new Set(ids).size).toBe(4);
  });

  it('keep their last use, written behind', async () => {
    const { id, key } = await mint();
    await status(key);
    expect((await api.get(`${keys}/${id}`)).json().lastUsedAt).toBeUndefined();
    await api.app.nest.get(PrincipalResolver).flushUses();
    expect((await api.get(`${keys}/${id}`)).json().lastUsedAt).toBeDefined();
  });

  it('that are unknown are counted by address', async () => {
    const { key } = await mint();
    const guesses = Array.from({ length: 60 }, () => mintApiKey().key);
    const from = '203.0.113.7';
    const answers: number[] = [];
    for (const guess of guesses) answers.push((await api.get('/api/v1/me', { as: guess, from })).statusCode);
    expect(answers.slice(0, 50)).toEqual(Array(50).fill(401));
    expect(answers).toContain(429);
    expect((await api.get('/api/v1/me', { as: key })).statusCode).toBe(200);
  });
});

describe('the admin token', () => {
  it('is compared whole', async () => {
    expect((await api.get('/api/v1/me')).json()).toEqual({ kind: 'automation', id: 'automation', tenants: [] });
    for (const as of ['test-admin-token-012345678', 'test-admin-token-01234567890', 'Test-admin-token-0123456789']) {
      expect(await status(as)).toBe(401);
    }
    const basic = await api.get('/api/v1/me', { as: null, headers: { authorization: 'Basic dGVzdDp0ZXN0' } });
    expect(basic.statusCode).toBe(401);
    expect(basic.headers['www-authenticate']).toContain('Bearer');
  });
});
