import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useApi } from '../../../test/harness/api.js';
import { buildWorld, unique } from '../../../test/support/world.js';

const api = useApi();
beforeAll(async () => {
  await buildWorld(api);
});
let server: string;

/** What differs between the lists of a server. */
const kinds = [
  {
    list: 'tools',
    key: 'name',
    noun: 'tool',
    make: (n: string) => ({
      name: n,
      description: 'Says.',
      inputSchema: { type: 'object' },
      template: { text: 'Hello' },
    }),
    fault: { inputSchema: { type: 'array' } },
    at: '/inputSchema/type',
  },
  {
    list: 'prompts',
    key: 'name',
    noun: 'prompt',
    make: (n: string) => ({ name: `a prompt/${n} 設計`, description: 'Says.', messages: [] }),
    fault: { messages: [{ role: 'user', content: { type: 'nonsense' } }] },
    at: '/messages/0/content/type',
  },
  {
    list: 'resources',
    key: 'uri',
    noun: 'resource',
    make: (n: string) => ({ uri: `kb://設計/${n}?a=%20b#c`, name: n, description: 'Says.', text: n }),
    fault: { text: null, blob: '?' },
    at: '/blob',
  },
  {
    list: 'resourceTemplates',
    key: 'uriTemplate',
    noun: 'resourceTemplate',
    make: (n: string) => ({ uriTemplate: `kb://${n}/{id}`, name: n, description: 'Says.', text: '{id}' }),
    fault: { text: '{{secret.KEY}}' },
    at: '/text',
  },
] as const;

describe.each(kinds)('single $list', ({ list, key, noun, make, fault, at }) => {
  const idOf = (item: object) => (item as Record<string, string>)[key] as string;
  const [one, two, three] = ['one', 'two', 'three'].map((n): object => make(n)) as [object, object, object];
  let items: string;
  const url = (item: object) => `${items}/${encodeURIComponent(idOf(item))}`;
  const ids = async () => ((await api.get(server)).json()[list] ?? []).map(idOf);

  beforeEach(async () => {
    server = `/api/v1/tenants/acme/servers/${unique()}`;
    items = `${server}/${list}`;
    await api.put(server, { name: 'S' });
  });

  it('are added, read, listed page by page and removed under any name', async () => {
    expect((await api.get(items)).json()).toEqual({ items: [] });
    for (const item of [one, two, three]) {
      const added = await api.post(items, item);
      expect([added.statusCode, added.json()[noun], added.json().warnings]).toEqual([201, item, []]);
    }
    expect((await api.post(items, one)).json()).toMatchObject({ status: 409, code: 'conflict' });
    expect((await api.get(url(two))).json()).toEqual(two);
    const first = (await api.get(`${items}?limit=2`)).json();
    const second = (await api.get(`${items}?limit=2&cursor=${first.nextCursor}`)).json();
    expect([...first.items, ...second.items]).toEqual([one, two, three]);
    expect((await api.delete(url(two))).statusCode).toBe(204);
    expect([(await api.get(url(two))).statusCode, (await api.delete(url(two))).statusCode]).toEqual([404, 404]);
    expect((await api.get(`${items}?cursor=${first.nextCursor}`)).statusCode).toBe(400);
    expect(await ids()).toEqual([idOf(one), idOf(three)]);
    for (const item of [one, three]) await api.delete(url(item));
    expect((await api.get(server)).json()[list]).toEqual([]);
  });

  it('are put in their place, created, renamed and patched', async () => {
    await api.put(url(one), { ...one, [key]: undefined });
    expect((await api.put(url(two), two)).statusCode).toBe(201);
    expect((await api.put(url(one), { ...one, title: 'One' })).json()[noun]).toEqual({ ...one, title: 'One' });
    expect((await api.put(url(one), three)).json()[noun]).toEqual(three);
    expect(await ids()).toEqual([idOf(three), idOf(two)]);
    expect((await api.put(url(two), three)).statusCode).toBe(409);
    const patched = await api.patch(url(two), { title: 'Two', description: null });
    expect(patched.json()[noun]).toEqual({ ...two, description: undefined, title: 'Two' });
    expect(patched.json().warnings).toHaveLength(1);
    const refused = await api.patch(url(two), fault);
    expect([refused.statusCode, refused.json().errors.map(({ path }: { path: string }) => path)]).toEqual([422, [at]]);
    expect((await api.patch(url(one), {})).statusCode).toBe(404);
  });

  it('answer every change with a tag that the next one may match', async () => {
    let { etag } = (await api.post(items, one)).headers as { etag: string };
    const match = () => ({ headers: { 'if-match': etag } });
    expect((await api.get(url(one))).headers.etag).toBe(etag);
    const stale = etag;
    etag = (await api.patch(url(one), { title: 'A' }, match())).headers.etag as string;
    expect(etag).not.toBe(stale);
    // The same members in another order are the same item.
    const put = await api.put(url(one), Object.fromEntries(Object.entries({ ...one, title: 'B' }).reverse()), match());
    expect(put.statusCode).toBe(200);
    etag = put.headers.etag as string;
    for (const refused of [
      await api.patch(url(one), { title: 'C' }, { headers: { 'if-match': stale } }),
      await api.put(url(one), one, { headers: { 'if-match': stale } }),
      await api.delete(url(one), { headers: { 'if-match': stale } }),
    ]) {
      expect([refused.statusCode, refused.json().code]).toEqual([409, 'conflict']);
    }
    expect((await api.delete(url(one), match())).statusCode).toBe(204);
  });

  it('leave a trail that names them', async () => {
    await api.post(items, one);
    await api.patch(url(one), { title: 'A' });
    await api.delete(url(one));
    const trail = (await api.get(`/api/v1/tenants/acme/audit?object=server/${server.split('/').at(-1)}`)).json().items;
    const diff = (change: object) => {
      const whole = { added: [], changed: [], removed: [], ...change };
      return list === 'tools' ? whole : { [list]: whole };
    };
    expect(trail.slice(0, 3)).toMatchObject([
      { action: `${noun}.delete`, detail: { [noun]: idOf(one), revision: 4, ...diff({ removed: [idOf(one)] }) } },
      { action: `${noun}.update`, detail: { [noun]: idOf(one), revision: 3, ...diff({ changed: [idOf(one)] }) } },
      { action: `${noun}.create`, detail: { [noun]: idOf(one), revision: 2, ...diff({ added: [idOf(one)] }) } },
    ]);
  });

  it('are held back by autoPublish: false', async () => {
    await api.put(server, { name: 'S', autoPublish: false });
    const held = (await api.post(items, one)).json();
    expect(held.revision).toBe(2);
    expect((await api.post(`${server}/publish`, {})).json().revision).toBe(3);
  });
});

describe('a resource whose URI is not all ASCII', () => {
  it('is found, and taken, in the spelling that clients see too', async () => {
    server = `/api/v1/tenants/acme/servers/${unique()}`;
    const resource = { uri: 'kb://é', name: 'E', description: 'Says.', text: 'e' };
    const ascii = `${server}/resources/${encodeURIComponent('kb://%C3%A9')}`;
    await api.put(server, { name: 'S', resources: [resource] });
    expect((await api.get(ascii)).json()).toEqual(resource);
    expect((await api.post(`${server}/resources`, { ...resource, uri: 'kb://%C3%A9' })).statusCode).toBe(409);
    const put = await api.put(ascii, { ...resource, uri: undefined });
    expect([put.statusCode, put.json().resource.uri]).toEqual([200, 'kb://%C3%A9']);
    expect((await api.delete(`${server}/resources/${encodeURIComponent('kb://é')}`)).statusCode).toBe(204);
  });
});

describe('a server document with every list', () => {
  beforeEach(() => {
    server = `/api/v1/tenants/acme/servers/${unique()}`;
  });

  it('is what was put, and its tag is what PUT gave', async () => {
    const document = {
      name: 'S',
      version: '2.0.0',
      access: 'key',
      autoPublish: true,
      settings: {},
      ...Object.fromEntries(kinds.map(({ list, make }) => [list, [make('one'), make('two')]])),
    };
    const put = await api.put(server, document);
    expect(put.json().diff).toMatchObject({ added: ['one', 'two'], resources: { added: expect.any(Array) } });
    const got = await api.get(server);
    expect(got.json()).toEqual(document);
    expect(got.headers.etag).toBe(put.headers.etag);
    const again = await api.put(server, got.json(), { headers: { 'if-match': put.headers.etag as string } });
    expect([again.statusCode, again.json().revision]).toEqual([200, put.json().revision]);
  });

  it('names the faults of runners at their places', async () => {
    const refused = await api.put(server, {
      name: 'S',
      prompts: [{ name: 'p', messages: [{ role: 'user', content: { type: 'text' } }] }],
      resources: [{ uri: 'a:b', name: 'A', http: { url: 'http://127.0.0.1/' } }],
      resourceTemplates: [{ uriTemplate: 'a:{b}', name: 'A', http: { url: 'https://{b}.example.com/' } }],
    });
    expect(refused.json().errors.map(({ path }: { path: string }) => path)).toEqual([
      '/prompts/0/messages/0/content/text',
      '/resources/0/http/url',
      '/resourceTemplates/0/http/url',
    ]);
  });

  it('warns of slots that nothing declares, and of what is not described', async () => {
    const put = await api.put(server, {
      name: 'S',
      prompts: [{ name: 'p', messages: [{ role: 'user', content: { type: 'text', text: '{who}' } }] }],
      resources: [{ uri: 'a:b', name: 'A', text: '{not a slot}' }],
      resourceTemplates: [{ uriTemplate: 'a:{b}', name: 'A', http: { url: 'https://example.com/{b}/{c}' } }],
    });
    expect(
      put
        .json()
        .warnings.map(({ path }: { path: string }) => path)
        .sort(),
    ).toEqual([
      '/prompts/0',
      '/prompts/0/messages/0/content/text',
      '/resourceTemplates/0',
      '/resourceTemplates/0/http/url',
      '/resources/0',
    ]);
  });
});
