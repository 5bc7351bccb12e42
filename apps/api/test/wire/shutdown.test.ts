import type { GantryNode } from '@gantry/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type RedisServer, startTemporaryRedis } from '../../../../scripts/lib/redis.mjs';
import { createDatabase, databaseUrl, dropDatabase } from '../harness/database.js';
import { managementOf } from '../harness/management.js';
import { freePort, type NodeProcess, startNode } from '../harness/node-process.js';
import { Backend } from './backend.js';
import { ModernClient, SessionClient, textOf } from './clients.js';
import { everyKind } from './documents.js';
import type { Answer } from './exchange.js';

const GRACE_MS = 3_000;
/** What a process may take after its grace, on a busy machine. */
const SLACK_MS = 5_000;
const SHUTTING_DOWN = { code: -32603, message: 'The server is shutting down' };

const backend = new Backend();
let redis: RedisServer;
let database: string;
let key: string;
const nodes: NodeProcess[] = [];

beforeAll(async () => {
  await backend.start();
  [redis, database] = await Promise.all([startTemporaryRedis(), createDatabase({ migrated: true })]);
  const first = await start({});
  const management = managementOf(() => first.url);
  await management.tenant('acme');
  await management.server('acme', 'kinds', everyKind(backend.url));
  key = (await management.key('acme')).key;
  await first.stop();
}, 60_000);
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.kill()));
});
afterAll(async () => {
  await Promise.all([backend.stop(), redis?.stop()]);
  if (database !== undefined) await dropDatabase(database);
});

async function start(env: Record<string, string>): Promise<NodeProcess> {
  const node = await startNode({
    port: await freePort(),
    databaseUrl: databaseUrl(database),
    env: { EGRESS_ALLOW: backend.host, SHUTDOWN_GRACE_MS: String(GRACE_MS), ...env },
  });
  nodes.push(node);
  return node;
}

const mcp = (node: NodeProcess) => managementOf(() => node.url).mcpUrl('acme', 'kinds');
const open = (node: NodeProcess, revision?: string) => new SessionClient(mcp(node), key, revision).open();

async function readiness(node: NodeProcess) {
  const answer = await fetch(`${node.url}/readyz`);
  return { status: answer.status, body: await answer.json() };
}

async function nodesOf(node: NodeProcess): Promise<GantryNode[]> {
  return (await managementOf(() => node.url).admin('GET', '/nodes')).body.items;
}

async function idOf(node: NodeProcess): Promise<string> {
  return (await nodesOf(node)).find(({ answering }) => answering)?.id ?? '';
}

/** Tells a node to stop. What goes wrong there is told when the test asks for it. */
function stop(node: NodeProcess): Promise<void> {
  const stopped = node.stop();
  stopped.catch(() => undefined);
  return stopped;
}

/** Everything that may be open on a node when it is told to stop. */
async function occupy(node: NodeProcess, at: string) {
  const modern = new ModernClient(mcp(node), key);
  const listens = [await modern.listen(), await modern.listen({ resourcesListChanged: true })];
  const session = await open(node);
  const stream = await session.get();
  const spoken = await session.call('slow_charge', { at }, { meta: { progressToken: 1 } });
  await spoken.notified('notifications/progress');
  const spokenHeld = await backend.arrived(`/held/${at}`);
  const silent = modern.start('held_http', { at: `${at}-silent` });
  const silentHeld = await backend.arrived(`/held/${at}-silent`);
  return { modern, listens, session, stream, spoken, spokenHeld, silent, silentHeld };
}

async function expectSentAway(listens: readonly Answer[], stream: Answer): Promise<void> {
  for (const listen of listens) {
    await listen.ended();
    expect(listen.messages.at(-1)).toMatchObject({ result: { _meta: expect.any(Object) } });
  }
  await stream.ended();
  expect(stream.frames.all.at(-1)).toEqual({ retry: 1_000 });
}

describe.each([
  ['alone', () => ({})],
  ['on Redis', () => ({ REDIS_URL: redis.url })],
])('a node %s that is told to stop', (name, env) => {
  const at = name.replaceAll(' ', '-');

  it('is not ready at once, ends listens with their result, sends streams away, lets calls finish, and ends (SSE-06)', async () => {
    const node = await start(env());
    const { modern, listens, stream, spoken, spokenHeld, silent, silentHeld } = await occupy(node, `finish-${at}`);
    const stopped = stop(node);
    await expectSentAway(listens, stream);
    const unready = await readiness(node);
    expect(unready).toMatchObject({
      status: 503,
      body: { status: 'not_ready', dependencies: { shutdown: { ok: false } } },
    });
    const refused = await modern.call('policy', { team: 'x' });
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    spokenHeld.answer('go');
    silentHeld.answer('done');
    expect(textOf(await spoken.result())).toBe('charged');
    expect(textOf(await (await silent.answer).result())).toContain('done');
    await stopped;
  });

  it('tells calls that outlast the grace that they were cut, and ends all the same', async () => {
    const node = await start(env());
    const { spoken, silent } = await occupy(node, `cut-${at}`);
    const stopping = Date.now();
    const stopped = stop(node);
    expect((await spoken.result()).error).toEqual(SHUTTING_DOWN);
    expect((await (await silent.answer).result()).error).toEqual(SHUTTING_DOWN);
    await stopped;
    expect(Date.now() - stopping).toBeGreaterThanOrEqual(GRACE_MS - 50);
    expect(Date.now() - stopping).toBeLessThan(GRACE_MS + SLACK_MS);
  });
});

describe('nodes on one Redis', () => {
  it('take up the streams of one that stops, without initialize', async () => {
    const [a, b] = await Promise.all([start({ REDIS_URL: redis.url }), start({ REDIS_URL: redis.url })]);
    const session = await open(a);
    const stream = await session.get();
    const call = await session.call('slow_charge', { at: 'moves' }, { meta: { progressToken: 1 } });
    const progress = await call.notified('notifications/progress');
    const held = await backend.arrived('/held/moves');
    const stopped = stop(a);
    await stream.ended();
    const there = session.at(mcp(b));
    const resumed = await there.get();
    expect([resumed.status, (await there.ask('tools/list')).status]).toEqual([200, 200]);
    // The client goes to the other node for its running call as well; the node that runs it has time to finish it.
    const rest = await there.get(progress.id);
    await call.ended();
    held.answer('go');
    expect(textOf(await rest.result())).toBe('charged');
    await stopped;
    resumed.destroy();
  });

  it('hear at once that one has stopped, long before its lease would lapse', async () => {
    const [a, b] = await Promise.all([start({ REDIS_URL: redis.url }), start({ REDIS_URL: redis.url })]);
    const left = await idOf(a);
    await a.stop();
    const states = async () => (await nodesOf(b)).map(({ id, state }) => [id, state]);
    await expect.poll(states, { timeout: 3_000 }).toContainEqual([left, 'gone']);
  });

  it('are emptied by each other, and serve all but new streams until that is over', async () => {
    const [a, b] = await Promise.all([start({ REDIS_URL: redis.url }), start({ REDIS_URL: redis.url })]);
    const { admin } = managementOf(() => a.url);
    const { session, listens, stream, spoken, spokenHeld, silent, silentHeld } = await occupy(b, 'by-hand');
    const id = await idOf(b);
    const drained = await admin('POST', `/nodes/${id}/drain`);
    expect([drained.status, drained.body.state]).toEqual([200, 'draining']);
    await expectSentAway(listens, stream);
    expect(await readiness(b)).toMatchObject({ status: 503, body: { dependencies: { drain: { ok: false } } } });
    expect((await session.ask('tools/list')).status).toBe(200);
    expect((await session.get()).status).toBe(503);
    spokenHeld.answer('go');
    silentHeld.answer('done');
    expect(textOf(await spoken.result())).toBe('charged');
    expect(textOf(await (await silent.answer).result())).toContain('done');
    expect((await admin('POST', `/nodes/${id}/undrain`)).body.state).toBe('ready');
    expect((await readiness(b)).status).toBe(200);
    const back = await session.get();
    expect(back.status).toBe(200);
    back.destroy();
  });
});
