import { serverDocumentSchema } from '@gantry/contracts';
import { FakeClock } from '@gantry/mcp-core/testing';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { HostedServers } from '../modules/tools/catalogue/hosted-servers.js';
import type { PublishedServer } from '../modules/tools/catalogue/snapshot.js';
import { ChangeAnnouncer } from './change-announcer.js';

interface Row {
  readonly tenantId: string | null;
  readonly subject: string;
}

const tool = (name: string, description = name) => ({
  name,
  description,
  inputSchema: { type: 'object' },
  template: { text: 'x' },
});

let published: PublishedServer | undefined;
let listeners: Map<string, (row: Row) => void>;
let lost: () => void;
let servers: HostedServers;
const endpoint = { changed: vi.fn(async () => {}), endAll: vi.fn(async () => {}) };
const keyStands = vi.fn(async () => true);
const onFault = vi.fn();
let clock: FakeClock;
let stop: () => void;

function serve(revision: number, tools: unknown[], text = 'x', access = 'key', lists: object = {}): void {
  published = {
    tenantId: 't1',
    tenantSlug: 'acme',
    tenantLimits: {},
    serverId: 's1',
    serverSlug: 'orders',
    revision,
    document: serverDocumentSchema.parse({ name: 'Orders', instructions: text, tools, access, ...lists }),
  };
}

beforeEach(async () => {
  vi.clearAllMocks();
  listeners = new Map();
  servers = new HostedServers(async () => published);
  serve(1, [tool('a')]);
  await servers.get('acme', 'orders');
  clock = new FakeClock();
  stop = new ChangeAnnouncer({ servers, endpoint, keyStands, onFault, clock }).follow({
    on(kind, listener) {
      listeners.set(kind, listener as (row: Row) => void);
      return () => listeners.delete(kind);
    },
    onLost(listener) {
      lost = listener;
      return () => {};
    },
  });
});

const change = (kind: string, subject: string, tenantId = 't1') => listeners.get(kind)?.({ tenantId, subject });

describe('ChangeAnnouncer', () => {
  it('tells streams that the list changed when a tool was added', async () => {
    serve(2, [tool('a'), tool('b')]);
    change('server', 'orders');
    await vi.waitFor(() => expect(endpoint.changed).toHaveBeenCalledTimes(1));
    expect(endpoint.changed).toHaveBeenCalledWith('t1/s1', { kind: 'list', list: 'tools' }, expect.anything());
    expect((await servers.get('acme', 'orders'))?.published.revision).toBe(2);
  });

  it('keeps quiet about a revision that lists the same', async () => {
    serve(2, [{ ...tool('a'), template: { text: 'another text' } }]);
    change('server', 'orders');
    await vi.waitFor(async () => expect((await servers.get('acme', 'orders'))?.published.revision).toBe(2));
    expect(endpoint.changed).not.toHaveBeenCalled();
  });

  it('tells of each list by itself, and of no list that is the same', async () => {
    const resources = [{ uri: 'docs://a', name: 'A', text: 'a' }];
    const prompts = [{ name: 'p', messages: [] }];
    const resourceTemplates = [{ uriTemplate: 'docs://{a}', name: 'T', text: '' }];
    const told = async (revision: number, lists: object) => {
      endpoint.changed.mockClear();
      serve(revision, [tool('a')], 'x', 'key', lists);
      change('server', 'orders');
      await vi.waitFor(async () => expect((await servers.get('acme', 'orders'))?.published.revision).toBe(revision));
      await new Promise((resolve) => setImmediate(resolve));
      return endpoint.changed.mock.calls.map(([, about]: unknown[]) => (about as { list: string }).list);
    };
    expect(await told(2, { resources })).toEqual(['resources']);
    expect(await told(3, { resources, prompts })).toEqual(['prompts']);
    expect(await told(4, { resources: [{ ...resources[0], text: 'b' }], prompts })).toEqual([]);
    expect(await told(5, { resources: [{ ...resources[0], text: 'longer' }], prompts })).toEqual(['resources']);
    expect(await told(6, { prompts, resourceTemplates })).toEqual(['resources']);
    expect(await told(7, {})).toEqual(['prompts', 'resources']);
  });

  it('ends what belongs to a server that is gone', async () => {
    published = undefined;
    change('server', 'orders');
    await vi.waitFor(() => expect(endpoint.endAll).toHaveBeenCalledWith({ server: 't1/s1' }, 't1/s1'));
  });

  it('lets go of whoever came without a key when a server is public no more', async () => {
    serve(2, [tool('a')], 'x', 'public');
    change('server', 'orders');
    await vi.waitFor(async () => expect((await servers.get('acme', 'orders'))?.published.revision).toBe(2));
    expect(endpoint.endAll).not.toHaveBeenCalled();
    serve(3, [tool('a')]);
    change('server', 'orders');
    await vi.waitFor(() => expect(endpoint.endAll).toHaveBeenCalledTimes(1));
    expect(endpoint.endAll).toHaveBeenCalledWith({ server: 't1/s1', owner: 'anonymous:anonymous' }, 't1/s1');
  });

  it('leaves the servers of other tenants alone', async () => {
    const before = await servers.get('acme', 'orders');
    change('server', 'orders', 't2');
    change('tenant', 'other', 't2');
    expect(servers.get('acme', 'orders')).toBe(before);
  });

  it('looks at every server again when rows may have been missed', async () => {
    serve(2, [tool('a', 'described anew')]);
    lost();
    await vi.waitFor(() => expect(endpoint.changed).toHaveBeenCalledTimes(1));
  });

  it('lets go of whoever came with a key that no longer stands, and of nobody else', async () => {
    change('key', 'k1');
    await vi.waitFor(() => expect(keyStands).toHaveBeenCalledWith('t1', 'k1'));
    expect(endpoint.endAll).not.toHaveBeenCalled();
    keyStands.mockResolvedValueOnce(false);
    change('key', 'k2');
    await vi.waitFor(() => expect(endpoint.endAll).toHaveBeenCalledWith({ owner: 'key:k2' }, 't1/:of:key:k2'));
  });

  it('lets go when it cannot be told whether a key stands, and says so', async () => {
    keyStands.mockRejectedValueOnce(new Error('the database is away'));
    change('key', 'k4');
    await vi.waitFor(() => expect(endpoint.endAll).toHaveBeenCalledWith({ owner: 'key:k4' }, 't1/:of:key:k4'));
    expect(onFault).toHaveBeenCalledTimes(1);
  });

  it('asks again when the database is away, until clients have heard', async () => {
    const back = published;
    const failing = vi.spyOn(servers, 'get').mockRejectedValueOnce(new Error('away'));
    published = undefined;
    change('server', 'orders');
    await vi.waitFor(() => expect(onFault).toHaveBeenCalledTimes(1));
    expect(endpoint.endAll).not.toHaveBeenCalled();
    clock.advance(1_000);
    await vi.waitFor(() => expect(endpoint.endAll).toHaveBeenCalledWith({ server: 't1/s1' }, 't1/s1'));
    failing.mockRestore();
    published = back;
  });

  it('asks no more once it is stopped', async () => {
    vi.spyOn(servers, 'get').mockRejectedValueOnce(new Error('away'));
    change('server', 'orders');
    await vi.waitFor(() => expect(onFault).toHaveBeenCalledTimes(1));
    stop();
    expect(clock.pending).toBe(0);
  });

  it('reports a failure and goes on', async () => {
    endpoint.endAll.mockRejectedValueOnce(new Error('away'));
    keyStands.mockResolvedValueOnce(false);
    change('key', 'k3');
    await vi.waitFor(() => expect(onFault).toHaveBeenCalledTimes(1));
  });
});
