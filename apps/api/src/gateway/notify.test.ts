import { McpEndpoint } from '@gantry/mcp-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { useApi } from '../../test/harness/api.js';
import { buildWorld, unique } from '../../test/support/world.js';

const api = useApi();
let server: string;
const changed = vi.fn(async (_server: string, _change: unknown, _settings: unknown) => {});
beforeAll(async () => {
  await buildWorld(api);
});
beforeEach(async () => {
  changed.mockClear();
  vi.spyOn(api.app.nest.get(McpEndpoint), 'changed').mockImplementation(changed);
  server = `/api/v1/tenants/acme/servers/${unique()}`;
  await api.put(server, {
    name: 'S',
    resources: [{ uri: 'docs://a', name: 'A', text: 'a' }],
    resourceTemplates: [{ uriTemplate: 'docs://pages/{n}', name: 'P', text: '{n}' }],
  });
  changed.mockClear();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const told = () => changed.mock.calls.map(([, change]) => change);
const placesOf = (answer: { json(): { errors: { path: string }[] } }) => answer.json().errors.map(({ path }) => path);

describe('POST notify', () => {
  it('tells clients what it was told, each change once', async () => {
    const message = { level: 'warning', logger: 'shop', data: { closed: true } };
    const answer = await api.post(`${server}/notify`, {
      resourceUpdated: 'docs://pages/7',
      message,
      listChanged: ['tools', 'resources', 'tools'],
    });
    expect([answer.statusCode, answer.body]).toEqual([202, '']);
    expect(told()).toEqual([
      { kind: 'list', list: 'tools' },
      { kind: 'list', list: 'resources' },
      { kind: 'resource', uri: 'docs://pages/7' },
      { kind: 'message', ...message },
    ]);
    const trail = await api.get(
      `/api/v1/tenants/acme/audit?action=server.notify&object=server/${server.split('/').at(-1)}`,
    );
    expect(trail.json().items[0].detail).toEqual({
      resourceUpdated: 'docs://pages/7',
      listChanged: ['tools', 'resources', 'tools'],
      message: { level: 'warning', logger: 'shop' },
    });
  });

  it.each([
    [{}, ['']],
    [{ resourceUpdated: 'docs://unknown' }, ['/resourceUpdated']],
    [
      { resourceUpdated: 'docs://pages/1/2', listChanged: ['tools', 'prompts'] },
      ['/resourceUpdated', '/listChanged/1'],
    ],
    [{ listChanged: ['skills'] }, ['/listChanged/0']],
    [{ message: { level: 'loud', data: 1 } }, ['/message/level']],
    [{ message: { level: 'info' } }, ['/message/data']],
    [{ resourceUpdated: 7, more: 1 }, ['/resourceUpdated', '/more']],
  ])('refuses %j, and tells nobody', async (body, places) => {
    const refused = await api.post(`${server}/notify`, body);
    expect([refused.statusCode, placesOf(refused)]).toEqual([422, places]);
    expect(told()).toEqual([]);
  });

  it('is for what is published, which a draft is not', async () => {
    const draft = `/api/v1/tenants/acme/servers/${unique()}`;
    await api.put(`${draft}?draft=true`, { name: 'S' });
    const refused = await api.post(`${draft}/notify`, { listChanged: ['tools'] });
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'conflict']);
    expect((await api.post(`${server}x/notify`, { listChanged: ['tools'] })).statusCode).toBe(404);
    await api.put(`${server}?draft=true`, { name: 'S' });
    expect((await api.post(`${server}/notify`, { resourceUpdated: 'docs://a' })).statusCode).toBe(202);
  });
});
