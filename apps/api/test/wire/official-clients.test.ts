import { afterEach, describe, expect, it } from 'vitest';
import { seenAborted } from './backend.js';
import { LATEST_LEGACY, LOG_LEVEL_KEY, MODERN, SessionClient } from './clients.js';
import { KINDS } from './documents.js';
import { type Official, type OfficialName, officialClients, type Progressed } from './official.js';
import { useWorld } from './world.js';

const world = useWorld({ settings: { pageSize: 2 } });
const PAGES = Math.ceil(KINDS.length / 2);
let open: Official[] = [];

async function connect(name: OfficialName): Promise<Official> {
  const client = await officialClients[name](world);
  open.push(client);
  return client;
}

afterEach(async () => {
  for (const client of open) await client.close();
  open = [];
});

const eras: [OfficialName, string][] = [
  ['client 2.4, auto', MODERN],
  ['client 2.4, legacy', LATEST_LEGACY],
  ['sdk 1.32', LATEST_LEGACY],
];

describe.each(eras)('%s', (name, revision) => {
  const modern = revision === MODERN;

  it(`speaks ${revision}`, async () => {
    const client = await connect(name);
    await client.call('policy', { team: 'x' });
    expect(client.revision).toBe(revision);
    expect(client.sentVersions.at(-1)).toBe(revision);
    expect(client.sessionId === undefined).toBe(modern);
    const { client: seen } = (await client.call('who', {})).structuredContent;
    expect(seen).toMatchObject({ name: 'official', version: '0.0.1', revision });
  });

  it('lists every tool, in order', async () => {
    const client = await connect(name);
    const { names, pages } = await client.list();
    expect(names).toEqual(KINDS);
    // One client walks the pages by itself when it is given no cursor.
    expect(name.startsWith('client') ? [1, PAGES] : [PAGES]).toContain(pages);
  });

  it('calls a tool of each kind', async () => {
    const client = await connect(name);
    const text = async (tool: string, args: Record<string, unknown>) => (await client.call(tool, args)).content[0].text;
    expect(await text('policy', { team: 'ops' })).toBe('Rules of ops.');
    expect(JSON.parse(await text('order', { id: 'a/b' }))).toMatchObject({ method: 'GET', target: '/orders/a%2Fb' });
    expect(await text('steps', { n: 1 })).toBe('stepped');
    const counted = [await text('counter', {}), await text('counter', {})];
    expect(counted).toEqual(modern ? ['no state', 'no state'] : ['1', '2']);
  });

  it('gets progress in order, without gaps, before the result', async () => {
    const client = await connect(name);
    const progress: Progressed[] = [];
    let atResult = -1;
    await client.call('steps', { n: 20 }, { onprogress: (event) => progress.push(event) }).then(() => {
      atResult = progress.length;
    });
    expect(progress.map((event) => [event.progress, event.total])).toEqual(
      Array.from({ length: 20 }, (_, i) => [i + 1, 20]),
    );
    expect(atResult).toBe(20);
  });

  it.each(['held_code', 'held_http'])('cancels %s: the work stops', async (tool) => {
    const client = await connect(name);
    const at = `cancel-${tool}-${name.replaceAll(/[^a-z0-9]/g, '')}`;
    const stop = new AbortController();
    const call = client.call(tool, { at }, { signal: stop.signal });
    const failed = expect(call).rejects.toThrow();
    const seen = await world.backend.arrived(`/held/${at}`);
    stop.abort('enough');
    await seenAborted(seen);
    await failed;
    expect((await client.call('policy', { team: 'after' })).content[0].text).toBe('Rules of after.');
  });

  it('gets log messages at the level it asks for', async () => {
    const client = await connect(name);
    if (!modern) await client.setLevel('warning');
    await client.call('talk', {}, modern ? { meta: { [LOG_LEVEL_KEY]: 'warning' } } : {});
    await client.logs.first('a log message', (level) => level === 'error');
    expect(client.logs.all).toEqual(['error']);
  });
});

describe.each(['client 2.4, legacy', 'sdk 1.32'] as const)('%s', (name) => {
  it('ends its session, and it is gone', async () => {
    const client = await connect(name);
    const raw = new SessionClient(world.url, world.key);
    raw.sessionId = client.sessionId ?? '';
    expect((await raw.ask('ping')).status).toBe(200);
    await client.endSession();
    expect((await raw.ask('ping')).status).toBe(404);
    expect((await raw.get()).status).toBe(404);
  });
});
