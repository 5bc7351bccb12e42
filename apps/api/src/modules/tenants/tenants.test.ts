import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../../../test/harness/api.js';
import { addMember, addPerson, buildWorld, openSession, unique, type World } from '../../../test/support/world.js';

const api = useApi();
let world: World;
beforeAll(async () => {
  world = await buildWorld(api);
});

describe('POST /tenants', () => {
  it('makes the operator who creates it its owner, and says so in the trail', async () => {
    const slug = unique();
    const made = await api.post('/api/v1/tenants', { slug, name: 'New' }, { as: world.tokens.operator });
    expect(made.statusCode).toBe(201);
    expect(made.json()).toMatchObject({ slug, name: 'New', limits: {}, role: 'owner' });
    expect(made.json().permissions).toContain('servers:write');
    const put = await api.put(`/api/v1/tenants/${slug}/servers/s`, { name: 'S' }, { as: world.tokens.operator });
    expect(put.statusCode).toBe(201);
    const trail = (await api.get(`/api/v1/tenants/${slug}/audit`)).json().items;
    expect(trail.at(-1)).toMatchObject({
      action: 'tenant.create',
      object: `tenant/${slug}`,
      actor: expect.stringMatching(/^user:/),
      requestId: made.headers['x-request-id'],
    });
  });

  it('answers 409 to a slug that is taken, and leaves no trace', async () => {
    const before = (await api.get('/api/v1/tenants/acme/audit')).json();
    const again = await api.post('/api/v1/tenants', { slug: 'acme', name: 'Again' });
    expect([again.statusCode, again.json().code]).toEqual([409, 'conflict']);
    expect((await api.get('/api/v1/tenants/acme/audit')).json()).toEqual(before);
  });

  it('lists every fault of the body with its place', async () => {
    const refused = await api.post('/api/v1/tenants', { slug: 'Bad Slug', nmae: 'x' });
    expect(refused.statusCode).toBe(422);
    expect(
      refused
        .json()
        .errors.map(({ path }: { path: string }) => path)
        .sort(),
    ).toEqual(['/name', '/nmae', '/slug']);
  });
});

describe('GET /tenants', () => {
  it('shows people the tenants they are members of, page by page', async () => {
    const person = await addPerson(api, 'stranger');
    const slugs = [unique(), unique(), unique()].sort();
    for (const slug of slugs) {
      await api.post('/api/v1/tenants', { slug, name: slug });
      await addMember(api, slug, person, 'viewer');
    }
    const as = await openSession(api, person);
    const first = (await api.get('/api/v1/tenants?limit=2', { as })).json();
    const second = (await api.get(`/api/v1/tenants?limit=2&cursor=${first.nextCursor}`, { as })).json();
    expect([...first.items, ...second.items].map(({ slug }) => slug)).toEqual(slugs);
    expect(second.nextCursor).toBeUndefined();
  });

  it('shows a key its own tenant only', async () => {
    const { items } = (await api.get('/api/v1/tenants', { as: world.tokens.readKey })).json();
    expect(items.map(({ slug }: { slug: string }) => slug)).toEqual(['acme']);
  });

  it('answers 400 to a cursor that it did not give', async () => {
    for (const cursor of ['nonsense', 'bnVsbA', Buffer.from('"UPPER"').toString('base64url')]) {
      const refused = await api.get(`/api/v1/tenants?cursor=${cursor}`);
      expect([refused.statusCode, refused.json().code]).toEqual([400, 'bad_request']);
    }
  });
});

describe('PATCH and DELETE of a tenant', () => {
  it('lets operators set limits and not names, owners names and not limits', async () => {
    const slug = await world.freshTenant();
    const url = `/api/v1/tenants/${slug}`;
    const { operator, owner } = world.tokens;
    expect((await api.patch(url, { limits: { callsPerMinute: 9 } }, { as: owner })).statusCode).toBe(403);
    expect((await api.patch(url, { name: 'X' }, { as: operator })).statusCode).toBe(403);
    expect((await api.patch(url, { limits: { callsPerMinute: 9 } }, { as: operator })).json().limits).toEqual({
      callsPerMinute: 9,
    });
    expect((await api.patch(url, { name: 'X' }, { as: owner })).json()).toMatchObject({
      name: 'X',
      limits: { callsPerMinute: 9 },
    });
    const [last] = (await api.get(`${url}/audit`)).json().items;
    expect(last).toMatchObject({ action: 'tenant.update', detail: { before: { name: slug }, after: { name: 'X' } } });
  });

  it('refuses egress exceptions that nothing could read, each at its place', async () => {
    const egressAllow = ['127.0.0.1:9301', 'not an entry', '10.0.0.0/99'];
    const refused = await api.patch('/api/v1/tenants/acme', { limits: { egressAllow } });
    expect(refused.statusCode).toBe(422);
    expect(refused.json().errors.map(({ path }: { path: string }) => path)).toEqual([
      '/limits/egressAllow/1',
      '/limits/egressAllow/2',
    ]);
    expect((await api.get('/api/v1/tenants/acme')).json().limits).not.toHaveProperty('egressAllow');
  });

  it('deletes everything in it, and its keys at once', async () => {
    const slug = await world.freshTenant();
    const { key } = (await api.post(`/api/v1/tenants/${slug}/keys`, { name: 'k', scopes: ['tenant:read'] })).json();
    await api.put(`/api/v1/tenants/${slug}/servers/s`, { name: 'S' });
    expect((await api.get(`/api/v1/tenants/${slug}`, { as: key })).statusCode).toBe(200);
    expect((await api.delete(`/api/v1/tenants/${slug}`, { as: world.tokens.owner })).statusCode).toBe(204);
    expect((await api.get(`/api/v1/tenants/${slug}`)).statusCode).toBe(404);
    await expect.poll(async () => (await api.get('/api/v1/me', { as: key })).statusCode, { timeout: 1_000 }).toBe(401);
    const { rows } = await api.db.superuser.query(
      `SELECT actor FROM audit_entries WHERE object = $1 AND action = 'tenant.delete'`,
      [`tenant/${slug}`],
    );
    expect(rows).toHaveLength(1);
  });
});
