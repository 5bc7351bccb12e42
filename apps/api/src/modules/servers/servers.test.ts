import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../../../test/harness/api.js';
import { buildWorld, unique, type World } from '../../../test/support/world.js';
import { ServersService } from './servers.service.js';

const api = useApi();
let world: World;
beforeAll(async () => {
  world = await buildWorld(api);
});

const tool = (name: string, more: object = {}) => ({
  name,
  description: 'Says something.',
  inputSchema: { type: 'object', properties: { zeta: { type: 'string' }, alpha: { type: 'string' } } },
  template: { text: 'Hello {zeta}' },
  ...more,
});
const fresh = () => `/api/v1/tenants/acme/servers/${unique()}`;
const trailOf = async (url: string) =>
  (await api.get(`/api/v1/tenants/acme/audit?object=server/${url.split('/').at(-1)}`)).json().items;

describe('PUT of a server', () => {
  it('creates, then replaces, and tells how the tools differ', async () => {
    const url = fresh();
    const first = await api.put(url, { name: 'Orders', tools: [tool('b'), tool('a')] });
    expect(first.statusCode).toBe(201);
    expect(first.json()).toMatchObject({
      revision: 1,
      warnings: [],
      diff: { added: ['b', 'a'], changed: [], removed: [] },
      server: { name: 'Orders', revision: 1, tools: 2, access: 'key', draft: false },
    });
    expect(first.json().server.endpoint).toBe(`http://127.0.0.1:4000/mcp/acme/${url.split('/').at(-1)}`);
    const second = await api.put(url, { name: 'Orders', tools: [tool('a', { title: 'A' }), tool('c')] });
    expect([second.statusCode, second.json().revision]).toEqual([200, 2]);
    expect(second.json().diff).toEqual({ added: ['c'], changed: ['a'], removed: ['b'] });
    expect((await trailOf(url)).map(({ action }: { action: string }) => action)).toEqual([
      'server.update',
      'server.create',
    ]);
  });

  it('takes what GET gives, keeps the order of properties, and does nothing when nothing changed', async () => {
    const url = fresh();
    await api.put(url, { name: 'Orders', tools: [tool('a')] });
    const document = (await api.get(url)).json();
    expect(Object.keys(document.tools[0].inputSchema.properties)).toEqual(['zeta', 'alpha']);
    expect((await api.put(url, document)).json()).toMatchObject({
      revision: 1,
      diff: { added: [], changed: [], removed: [] },
    });
    expect(await trailOf(url)).toHaveLength(1);
  });

  it('lists all five faults of a document and stores nothing', async () => {
    const url = fresh();
    const refused = await api.put(url, {
      name: 'Orders',
      unknown: 1,
      tools: [
        tool('bad name'),
        tool('twice'),
        tool('twice'),
        tool('root', { inputSchema: { type: 'array' } }),
        tool('schema', { inputSchema: { type: 'object', properties: { a: { type: 'nonsense' } } } }),
      ],
    });
    expect([refused.statusCode, refused.headers['content-type']]).toEqual([
      422,
      'application/problem+json; charset=utf-8',
    ]);
    expect(refused.json()).toMatchObject({ code: 'invalid_document', detail: '5 faults; nothing was stored.' });
    expect(
      refused
        .json()
        .errors.map(({ path }: { path: string }) => path)
        .sort(),
    ).toEqual([
      '/tools/0/name',
      '/tools/2/name',
      '/tools/3/inputSchema/type',
      expect.stringMatching(/^\/tools\/4\/inputSchema\/properties\/a/),
      '/unknown',
    ]);
    expect((await api.get(url)).statusCode).toBe(404);
  });

  it('only checks with dryRun', async () => {
    const url = fresh();
    const dry = await api.put(`${url}?dryRun=true`, { name: 'Orders', tools: [tool('a')] });
    expect([dry.statusCode, dry.json().revision, dry.json().diff.added]).toEqual([200, 0, ['a']]);
    expect((await api.get(url)).statusCode).toBe(404);
    await api.put(url, { name: 'Orders', tools: [tool('a')] });
    const second = await api.put(`${url}?dryRun=true`, { name: 'Orders' });
    expect(second.json()).toMatchObject({ revision: 1, diff: { removed: ['a'] } });
    expect((await api.get(url)).json().tools).toHaveLength(1);
  });

  it('holds a draft back until it is published', async () => {
    const url = fresh();
    const [, , , , , , slug = ''] = url.split('/');
    const servers = api.app.nest.get(ServersService);
    const draft = await api.put(`${url}?draft=true`, { name: 'Orders', tools: [tool('a')] });
    expect([draft.statusCode, draft.json().server]).toEqual([
      201,
      expect.objectContaining({ draft: true, revision: 0, tools: 0 }),
    ]);
    expect(await servers.loadPublished('acme', slug)).toBeUndefined();
    const published = (await api.post(`${url}/publish`, { note: 'First' })).json();
    expect(published).toMatchObject({ revision: 1, server: { draft: false, tools: 1 } });
    expect(await servers.loadPublished('acme', slug)).toMatchObject({
      tenantSlug: 'acme',
      tenantLimits: {},
      serverSlug: slug,
      revision: 1,
      document: { name: 'Orders', tools: [{ name: 'a' }] },
    });
    expect((await api.get(`${url}/revisions`)).json().items).toEqual([
      expect.objectContaining({ number: 1, note: 'First', publishedBy: 'automation', tools: 1, live: true }),
    ]);
  });

  it('numbers concurrent publishes without a gap or a clash', async () => {
    const url = fresh();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => api.put(url, { name: 'Orders', instructions: `Version ${n}` })),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([...Array(11).fill(200), 201]);
    const numbers = answers.map((answer) => answer.json().revision).sort((a, b) => a - b);
    expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(await trailOf(url)).toHaveLength(12);
  });

  it('refuses to replace what changed since it was read', async () => {
    const url = fresh();
    await api.put(url, { name: 'One' });
    const { etag } = (await api.get(url)).headers as { etag: string };
    const headers = { 'if-match': etag };
    expect((await api.put(url, { name: 'Two' }, { headers })).statusCode).toBe(200);
    const stale = await api.put(url, { name: 'Three' }, { headers });
    expect([stale.statusCode, stale.json().code]).toEqual([409, 'conflict']);
    expect((await api.get(url)).json().name).toBe('Two');
    expect((await api.put(fresh(), { name: 'New' }, { headers })).statusCode).toBe(409);
  });

  it('checks hundreds of tools without holding the main loop', async () => {
    const url = fresh();
    let longest = 0;
    let last = performance.now();
    const probe = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    const tools = Array.from({ length: 400 }, (_, n) =>
      tool(`t${n}`, {
        inputSchema: { type: 'object', properties: { a: { type: 'string', pattern: `^a{1,${(n % 9) + 1}}$` } } },
      }),
    );
    const put = await api.put(url, { name: 'Many', tools });
    clearInterval(probe);
    expect(put.statusCode).toBe(201);
    // Compiling 400 schemas on the loop would take more than a second of it.
    expect(longest).toBeLessThan(800);
  });

  it('refuses a name that is no slug', async () => {
    const refused = await api.put('/api/v1/tenants/acme/servers/Not_A_Slug', { name: 'x' });
    expect([refused.statusCode, refused.json().code]).toEqual([400, 'bad_request']);
  });
});

describe('revisions', () => {
  it('are listed newest first, and rolled back to under a new number', async () => {
    const url = fresh();
    for (const name of ['One', 'Two', 'Three']) await api.put(url, { name });
    const first = (await api.get(`${url}/revisions?limit=2`)).json();
    const second = (await api.get(`${url}/revisions?limit=2&cursor=${first.nextCursor}`)).json();
    expect([...first.items, ...second.items].map(({ number }) => number)).toEqual([3, 2, 1]);
    const back = await api.post(`${url}/revisions/1/rollback`);
    expect(back.json()).toMatchObject({ revision: 4, server: { name: 'One' } });
    expect((await api.get(url)).json().name).toBe('One');
    expect((await api.post(`${url}/revisions/99/rollback`)).statusCode).toBe(404);
    expect((await api.post(`${url}/revisions/0x1/rollback`)).statusCode).toBe(404);
    const [last] = await trailOf(url);
    expect(last).toMatchObject({ action: 'server.rollback', detail: { to: 1, revision: 4 } });
  });
});

describe('lists and deletion of servers', () => {
  it('walks all servers of a tenant, and of no other', async () => {
    const slugs: string[] = [];
    let cursor = '';
    do {
      const page = (await api.get(`/api/v1/tenants/acme/servers?limit=2${cursor}`)).json();
      slugs.push(...page.items.map(({ slug }: { slug: string }) => slug));
      cursor = page.nextCursor ? `&cursor=${page.nextCursor}` : '';
    } while (cursor !== '');
    const { rows } = await api.db.superuser.query(
      `SELECT s.slug FROM servers s JOIN tenants t ON t.id = s.tenant_id WHERE t.slug = 'acme'`,
    );
    expect([...slugs].sort()).toEqual(rows.map(({ slug }) => slug).sort());
    expect(new Set(slugs).size).toBe(slugs.length);
    const narrow = (await api.get('/api/v1/tenants/acme/servers', { as: world.tokens.narrowKey })).json();
    expect(narrow.items.map(({ slug }: { slug: string }) => slug)).toEqual(['elsewhere']);
  });

  it('deletes a server with its revisions, and its name is free again', async () => {
    const url = fresh();
    await api.put(url, { name: 'One' });
    expect((await api.delete(url)).statusCode).toBe(204);
    expect([(await api.get(url)).statusCode, (await api.delete(url)).statusCode]).toEqual([404, 404]);
    expect((await api.put(url, { name: 'Two' })).json().revision).toBe(1);
    expect((await trailOf(url)).map(({ action }: { action: string }) => action)).toContain('server.delete');
  });

  it('answers the same to a foreign key as to a server that does not exist', async () => {
    const { foreignKey: as } = world.tokens;
    const foreign = (await api.get('/api/v1/tenants/acme/servers/orders', { as })).json();
    const missing = (await api.get('/api/v1/tenants/no-such-tenant/servers/orders', { as })).json();
    expect({ ...foreign, requestId: '' }).toEqual({ ...missing, requestId: '' });
  });
});
