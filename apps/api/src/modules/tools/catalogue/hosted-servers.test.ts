import { serverDocumentSchema } from '@gantry/contracts';
import { describe, expect, it } from 'vitest';
import { Arrivals } from '../../../../test/wire/deadline.js';
import { HostedServers } from './hosted-servers.js';
import type { PublishedServer } from './snapshot.js';

function published(serverSlug: string, revision: number): PublishedServer {
  return {
    tenantId: 't1',
    tenantSlug: 'acme',
    tenantLimits: {},
    serverId: `id-${serverSlug}`,
    serverSlug,
    revision,
    document: serverDocumentSchema.parse({ name: serverSlug }),
  };
}

describe('HostedServers', () => {
  it('asks once for concurrent callers and answers without a promise afterwards', async () => {
    let loads = 0;
    const servers = new HostedServers(async () => {
      loads += 1;
      return published('orders', 1);
    });
    const [a, b] = await Promise.all([servers.get('acme', 'orders'), servers.get('acme', 'orders')]);
    expect(a).toBe(b);
    expect(servers.get('acme', 'orders')).toBe(a);
    expect(loads).toBe(1);
  });

  it('stops an address that makes up names, and nobody who asks for what is there', async () => {
    let now = 0;
    const servers = new HostedServers(
      async (_tenant, server) => (server.startsWith('made-up') ? undefined : published(server, 1)),
      () => now,
    );
    await Promise.all(Array.from({ length: 200 }, () => servers.find('acme', 'orders', 'a')));
    for (let i = 0; i < 100; i += 1) await servers.find('acme', `there-${i}`, 'a');
    for (let i = 0; i < 50; i += 1) expect(await servers.find('acme', `made-up-${i}`, 'a')).toBeUndefined();
    expect(() => servers.find('acme', 'made-up', 'a')).toThrow(expect.objectContaining({ code: 'rate_limited' }));
    expect(await servers.find('acme', 'made-up-0', 'a')).toBeUndefined();
    expect(servers.find('acme', 'orders', 'a')).toMatchObject({ published: { serverSlug: 'orders' } });
    expect(await servers.find('acme', 'made-up', 'b')).toBeUndefined();
    now += 1_000;
    expect(await servers.find('acme', 'made-up-more', 'a')).toBeUndefined();
  });

  it('serves from memory for as long as it may without the database, and then fails as the database does', async () => {
    let trusted = true;
    let away = false;
    const servers = new HostedServers(
      async (_tenant, server) => {
        if (away) throw new Error('away');
        return server === 'orders' ? published(server, 1) : undefined;
      },
      () => 0,
      () => trusted,
    );
    const orders = await servers.find('acme', 'orders', 'a');
    expect(await servers.find('acme', 'nothing', 'a')).toBeUndefined();
    away = true;
    expect([servers.find('acme', 'orders', 'a'), servers.get('acme', 'nothing')]).toEqual([orders, undefined]);
    trusted = false;
    for (const name of ['orders', 'nothing']) {
      await expect(servers.find('acme', name, 'a')).rejects.toThrow('away');
      await expect(servers.get('acme', name)).rejects.toThrow('away');
    }
    away = false;
    expect(await servers.find('acme', 'orders', 'a')).toMatchObject({ published: { revision: 1 } });
    trusted = true;
    expect(servers.find('acme', 'orders', 'a')).not.toBeInstanceOf(Promise);
  });

  it('remembers that a server does not exist until something changes', async () => {
    let loads = 0;
    const servers = new HostedServers(async () => {
      loads += 1;
      return undefined;
    });
    expect(await servers.get('acme', 'nothing')).toBeUndefined();
    expect(servers.get('acme', 'nothing')).toBeUndefined();
    expect(loads).toBe(1);
    servers.drop('t1', 'nothing');
    await servers.get('acme', 'nothing');
    expect(loads).toBe(2);
  });

  it('reads again when its server changes while it is loading, for everybody who waits', async () => {
    const answers: ((revision: number) => void)[] = [];
    const asked = new Arrivals<number>();
    const servers = new HostedServers(
      () =>
        new Promise((resolve) => {
          answers.push((revision) => resolve(published('orders', revision)));
          asked.add(answers.length);
        }),
    );
    const before = servers.get('acme', 'orders');
    await asked.first('the first read', (count) => count === 1);
    servers.drop('t1', 'orders');
    const after = servers.get('acme', 'orders');
    answers[0]?.(1);
    await asked.first('the second read', (count) => count === 2);
    answers[1]?.(2);
    expect((await before)?.published.revision).toBe(2);
    expect((await after)?.published.revision).toBe(2);
    expect(await servers.get('acme', 'orders')).toBe(await after);
  });

  it('tells of the next change of a server that was loaded while others changed', async () => {
    const loaded: (() => void)[] = [];
    const asked = new Arrivals<string>();
    const servers = new HostedServers(
      (_tenant, server) =>
        new Promise((resolve) => {
          loaded.push(() => resolve(published(server, 1)));
          asked.add(server);
        }),
    );
    const loading = servers.get('acme', 'quiet');
    await asked.first('the read', (server) => server === 'quiet');
    servers.drop('t2', 'busy');
    servers.drop('t1', 'busy');
    loaded[0]?.();
    const hosted = await loading;
    expect(servers.drop('t1', 'quiet')).toEqual([hosted]);
  });

  it('drops one server, or all of a tenant', async () => {
    const servers = new HostedServers(async (_tenant, server) => published(server, 1));
    await servers.get('acme', 'a');
    await servers.get('acme', 'b');
    expect(servers.drop('t2')).toEqual([]);
    expect(servers.drop('t1', 'a').map((s) => s.published.serverSlug)).toEqual(['a']);
    expect(servers.drop('t1').map((s) => s.published.serverSlug)).toEqual(['b']);
  });
});
