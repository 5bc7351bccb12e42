import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useApi } from '../../../test/harness/api.js';
import { buildWorld, unique } from '../../../test/support/world.js';

const api = useApi();
beforeAll(async () => {
  await buildWorld(api);
});

const tool = (more: object = {}) => ({
  description: 'Says something.',
  inputSchema: { type: 'object' },
  template: { text: 'Hello' },
  ...more,
});
let server: string;
let tools: string;
beforeEach(async () => {
  server = `/api/v1/tenants/acme/servers/${unique()}`;
  tools = `${server}/tools`;
  await api.put(server, { name: 'S', tools: [tool({ name: 'one' }), tool({ name: 'two' }), tool({ name: 'three' })] });
});

const namesOf = async () => (await api.get(server)).json().tools.map(({ name }: { name: string }) => name);

describe('tools', () => {
  it('are added at the end and published at once', async () => {
    const added = await api.post(tools, tool({ name: 'four' }));
    expect([added.statusCode, added.json().revision, added.json().tool.name]).toEqual([201, 2, 'four']);
    expect(await namesOf()).toEqual(['one', 'two', 'three', 'four']);
    const again = await api.post(tools, tool({ name: 'four' }));
    expect([again.statusCode, again.json().code]).toEqual([409, 'conflict']);
    const [last] = (await api.get(`/api/v1/tenants/acme/audit?action=tool.create`)).json().items;
    expect(last).toMatchObject({ detail: { tool: 'four', revision: 2, added: ['four'] } });
  });

  it('are listed in the document order, page by page', async () => {
    const first = (await api.get(`${tools}?limit=2`)).json();
    const second = (await api.get(`${tools}?limit=2&cursor=${first.nextCursor}`)).json();
    expect([...first.items, ...second.items].map(({ name }) => name)).toEqual(['one', 'two', 'three']);
    expect(second.nextCursor).toBeUndefined();
    await api.delete(`${tools}/two`);
    expect((await api.get(`${tools}?limit=2&cursor=${first.nextCursor}`)).statusCode).toBe(400);
  });

  it('are replaced in their place, created by PUT, and renamed by another name in the body', async () => {
    expect((await api.put(`${tools}/two`, tool({ title: 'Two' }))).statusCode).toBe(200);
    expect((await api.put(`${tools}/new`, tool())).statusCode).toBe(201);
    expect((await api.put(`${tools}/one`, tool({ name: 'uno' }))).json().tool.name).toBe('uno');
    expect(await namesOf()).toEqual(['uno', 'two', 'three', 'new']);
    expect((await api.put(`${tools}/two`, tool({ name: 'three' }))).statusCode).toBe(409);
    expect((await api.put(`${tools}/other`, tool({ name: 'three' }))).statusCode).toBe(409);
  });

  it('are patched field by field; null removes one', async () => {
    await api.patch(`${tools}/one`, { title: 'One', timeoutMs: 5_000 });
    const patched = (await api.patch(`${tools}/one`, { title: null })).json();
    expect(patched.tool).toMatchObject({ name: 'one', timeoutMs: 5_000 });
    expect(patched.tool.title).toBeUndefined();
    const refused = await api.patch(`${tools}/one`, { template: null, inputSchema: { type: 'string' } });
    expect(
      refused
        .json()
        .errors.map(({ path }: { path: string }) => path)
        .sort(),
    ).toEqual(['', '/inputSchema/type']);
  });

  it('refuse an edit of what changed since it was read', async () => {
    const { etag } = (await api.get(`${tools}/one`)).headers as { etag: string };
    const headers = { 'if-match': etag };
    expect((await api.patch(`${tools}/one`, { title: 'A' }, { headers })).statusCode).toBe(200);
    expect((await api.patch(`${tools}/one`, { title: 'B' }, { headers })).statusCode).toBe(409);
    expect((await api.put(`${tools}/one`, tool(), { headers })).statusCode).toBe(409);
    expect((await api.delete(`${tools}/one`, { headers })).statusCode).toBe(409);
    expect((await api.delete(`${tools}/one`)).statusCode).toBe(204);
    expect((await api.delete(`${tools}/one`)).statusCode).toBe(404);
  });

  it('lose nothing when many are added at once', async () => {
    const added = await Promise.all(Array.from({ length: 8 }, (_, n) => api.post(tools, tool({ name: `n${n}` }))));
    expect(added.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(201));
    expect(await namesOf()).toHaveLength(11);
    expect((await api.get(`${server}/revisions`)).json().items[0].number).toBe(9);
  });

  it('are held back by autoPublish: false, and by a draft, which is said', async () => {
    await api.put(server, { name: 'S', autoPublish: false });
    const held = (await api.post(tools, tool({ name: 'held' }))).json();
    expect(held.revision).toBe(2);
    await api.put(server, { name: 'S' });
    await api.put(`${server}?draft=true`, { name: 'Draft' });
    const draft = (await api.post(tools, tool({ name: 'late' }))).json();
    expect(draft.warnings).toEqual([{ path: '', message: expect.stringContaining('not published') }]);
    const list = (await api.get('/api/v1/tenants/acme/servers?limit=200')).json().items;
    const summary = list.find(({ slug }: { slug: string }) => server.endsWith(slug));
    expect(summary).toMatchObject({ draft: true, revision: 3, tools: 0, name: 'Draft' });
    expect((await api.post(`${server}/publish`, {})).json()).toMatchObject({ revision: 4, diff: { added: ['late'] } });
  });

  it('list every fault with its place in the tool', async () => {
    const refused = await api.post(tools, {
      name: 'x',
      extra: 1,
      inputSchema: { type: 'object' },
      http: { url: 'file:///etc' },
    });
    expect(refused.statusCode).toBe(422);
    expect(
      refused
        .json()
        .errors.map(({ path }: { path: string }) => path)
        .sort(),
    ).toEqual(['/extra', '/http/url']);
    expect((await api.post('/api/v1/tenants/acme/servers/nowhere/tools', {})).statusCode).toBe(404);
  });
});
