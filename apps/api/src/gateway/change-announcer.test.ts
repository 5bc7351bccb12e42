import { type ServerDocument, serverDocumentSchema } from '@gantry/contracts';
import { FakeClock } from '@gantry/mcp-core/testing';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { HostedServers } from '../modules/tools/catalogue/hosted-servers.js';
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

let documents: ServerDocument[];
let listeners: Map<string, (row: Row) => void>;
let lost: () => void;
let servers: HostedServers;
let listened: Set<string>;
const endpoint = {
  tellListens: vi.fn(),
  listensTo: (server: string) => listened.has(server),
  listSessions: vi.fn(async () => ({ items: [] as { server: string }[], next: undefined as string | undefined })),
  endAll: vi.fn(async () => {}),
};
const sessions = { announce: vi.fn(async (): Promise<number | undefined> => undefined) };
const keyStands = vi.fn(async () => true);
const onFault = vi.fn();
const lookUp = vi.fn();
let clock: FakeClock;
let stop: () => void;

/** Publishes one more revision. */
function publish(lists: object, access = 'key'): void {
  documents.push(serverDocumentSchema.parse({ name: 'Orders', access, ...lists }));
}

const published = () =>
  documents.length === 0
    ? undefined
    : {
        tenantId: 't1',
        tenantSlug: 'acme',
        tenantLimits: {},
        serverId: 's1',
        serverSlug: 'orders',
        revision: documents.length,
        document: documents.at(-1) as ServerDocument,
      };

beforeEach(async () => {
  vi.clearAllMocks();
  documents = [];
  listeners = new Map();
  listened = new Set(['t1/s1']);
  servers = new HostedServers(async () => published());
  publish({ tools: [tool('a')] });
  await servers.get('acme', 'orders');
  clock = new FakeClock();
  lookUp.mockImplementation(async () => {
    const now = published();
    return now && { serverId: now.serverId, revision: now.revision };
  });
  stop = new ChangeAnnouncer({
    servers,
    endpoint: endpoint as never,
    sessions,
    published: lookUp,
    document: async (_tenant, _server, revision) => documents[revision - 1],
    keyStands,
    onFault,
    clock,
  }).follow({
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
/** Resolves when so many revisions have been handed on to be announced to sessions. */
const announced = (times: number) => vi.waitFor(() => expect(sessions.announce).toHaveBeenCalledTimes(times), 10_000);
const told = () => endpoint.tellListens.mock.calls.map(([server, about]) => [server, about.list]);

describe('ChangeAnnouncer', () => {
  it('tells the streams of its own node that the list changed, and has sessions told', async () => {
    publish({ tools: [tool('a'), tool('b')] });
    change('server', 'orders');
    await announced(1);
    expect(told()).toEqual([['t1/s1', 'tools']]);
    expect(sessions.announce).toHaveBeenCalledWith({ tenantId: 't1', serverId: 's1', revision: 2 }, 1);
    expect((await servers.get('acme', 'orders'))?.published.revision).toBe(2);
  });

  it('keeps quiet about a revision that lists the same', async () => {
    publish({ tools: [{ ...tool('a'), template: { text: 'another text' } }] });
    change('server', 'orders');
    await announced(1);
    expect(told()).toEqual([]);
    expect((await servers.get('acme', 'orders'))?.published.revision).toBe(2);
  });

  it('tells of each list by itself, and of no list that is the same', async () => {
    const resources = [{ uri: 'docs://a', name: 'A', text: 'a' }];
    const prompts = [{ name: 'p', messages: [] }];
    const resourceTemplates = [{ uriTemplate: 'docs://{a}', name: 'T', text: '' }];
    let revision = 1;
    const heard = async (lists: object) => {
      endpoint.tellListens.mockClear();
      publish({ tools: [tool('a')], ...lists });
      change('server', 'orders');
      await announced(revision++);
      return told().map(([, list]) => list);
    };
    expect(await heard({ resources })).toEqual(['resources']);
    expect(await heard({ resources, prompts })).toEqual(['prompts']);
    expect(await heard({ resources: [{ ...resources[0], text: 'b' }], prompts })).toEqual([]);
    expect(await heard({ resources: [{ ...resources[0], text: 'longer' }], prompts })).toEqual(['resources']);
    expect(await heard({ prompts, resourceTemplates })).toEqual(['resources']);
    expect(await heard({})).toEqual(['prompts', 'resources']);
  });

  it('tells of what several quick edits changed, once', async () => {
    publish({ tools: [tool('a'), tool('b')] });
    change('server', 'orders');
    publish({ tools: [tool('a'), tool('b')], instructions: 'another' });
    change('server', 'orders');
    await announced(2);
    expect(told()).toEqual([['t1/s1', 'tools']]);
  });

  it('tells streams of a server that this node has no picture of', async () => {
    servers.dropAll();
    publish({ tools: [tool('b')] });
    change('server', 'orders');
    await announced(1);
    expect(told()).toEqual([['t1/s1', 'tools']]);
  });

  it('loads nothing where nobody listens, and leaves sessions to whoever claims them', async () => {
    listened.clear();
    publish({ tools: [tool('b')] });
    change('server', 'orders');
    await announced(1);
    expect(told()).toEqual([]);
  });

  it('asks again whether another node has told the sessions', async () => {
    sessions.announce.mockResolvedValueOnce(5_000);
    publish({ tools: [tool('b')] });
    change('server', 'orders');
    await announced(1);
    await vi.waitFor(() => expect(clock.pending).toBe(1));
    clock.advance(5_000);
    await announced(2);
    expect(told()).toEqual([['t1/s1', 'tools']]);
  });

  it('ends what belongs to a server that is gone, whether or not this node knew it', async () => {
    change('deleted-server', 's9');
    await vi.waitFor(() => expect(endpoint.endAll).toHaveBeenCalledWith({ server: 't1/s9' }, 't1/s9'));
    documents = [];
    change('server', 'orders');
    await vi.waitFor(() => expect(endpoint.endAll).toHaveBeenCalledWith({ server: 't1/s1' }, 't1/s1'));
  });

  it('ends what belongs to a tenant that is gone, server by server', async () => {
    endpoint.listSessions
      .mockResolvedValueOnce({ items: [{ server: 't1/s1' }, { server: 't1/s2' }], next: 'more' })
      .mockResolvedValueOnce({ items: [{ server: 't1/s2' }, { server: 't1/s3' }], next: undefined });
    change('deleted-tenant', 't1');
    await vi.waitFor(() => expect(endpoint.endAll).toHaveBeenCalledTimes(3));
    expect(endpoint.endAll.mock.calls).toEqual(['t1/s1', 't1/s2', 't1/s3'].map((server) => [{ server }, server]));
    expect(endpoint.listSessions).toHaveBeenLastCalledWith('t1/:all', 500, 'more');
  });

  it('lets go of whoever came without a key when a server is public no more', async () => {
    publish({ tools: [tool('a')] }, 'public');
    change('server', 'orders');
    await announced(1);
    expect(endpoint.endAll).not.toHaveBeenCalled();
    publish({ tools: [tool('a')] });
    change('server', 'orders');
    await announced(2);
    expect(endpoint.endAll.mock.calls).toEqual([[{ server: 't1/s1', owner: 'anonymous:anonymous' }, 't1/s1']]);
  });

  it('leaves the servers of other tenants alone', async () => {
    const before = await servers.get('acme', 'orders');
    lookUp.mockResolvedValue(undefined);
    change('server', 'orders', 't2');
    change('tenant', 'other', 't2');
    await vi.waitFor(() => expect(lookUp).toHaveBeenCalledWith('t2', 'orders'));
    expect(servers.get('acme', 'orders')).toBe(before);
    expect(endpoint.endAll).not.toHaveBeenCalled();
  });

  it('looks at every server again when rows may have been missed', async () => {
    publish({ tools: [tool('a', 'described anew')] });
    lost();
    await announced(1);
    expect(told()).toEqual([['t1/s1', 'tools']]);
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

  it('tries again what the database or Redis did not let it do, until it is done, and says so once', async () => {
    lookUp.mockRejectedValueOnce(new Error('away')).mockRejectedValueOnce(new Error('away'));
    keyStands.mockResolvedValue(false);
    endpoint.endAll.mockRejectedValueOnce(new Error('away'));
    publish({ tools: [tool('b')] });
    change('server', 'orders');
    change('key', 'k3');
    await vi.waitFor(() => expect(clock.pending).toBe(2));
    clock.advance(1_000);
    await vi.waitFor(() => expect(endpoint.endAll).toHaveBeenCalledTimes(2));
    await vi.waitFor(() => expect(clock.pending).toBe(1));
    clock.advance(1_000);
    await announced(1);
    expect(told()).toEqual([['t1/s1', 'tools']]);
    expect(onFault).toHaveBeenCalledTimes(2);
    keyStands.mockResolvedValue(true);
  });

  it('asks no more once it is stopped', async () => {
    lookUp.mockRejectedValueOnce(new Error('away'));
    change('server', 'orders');
    await vi.waitFor(() => expect(clock.pending).toBe(1));
    stop();
    expect(clock.pending).toBe(0);
  });
});
