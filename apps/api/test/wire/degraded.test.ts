import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type RedisServer, startTemporaryRedis } from '../../../../scripts/lib/redis.mjs';
import { mintApiKey } from '../../src/infra/crypto/index.js';
import { createDatabase, databaseUrl, dropDatabase } from '../harness/database.js';
import { type Management, managementOf } from '../harness/management.js';
import { freePort, type NodeProcess, startNode } from '../harness/node-process.js';
import { CuttingProxy } from '../support/cutting-proxy.js';
import { ModernClient, SessionClient, textOf } from './clients.js';
import { everyKind } from './documents.js';
import type { Answer } from './exchange.js';

const GRACE_MS = 8_000;
const NOTICE = { timeout: 10_000 };

let redis: RedisServer;
let database: string;
let redisProxy: CuttingProxy;
let postgresProxy: CuttingProxy;
let node: NodeProcess;
let management: Management;
let metricsUrl: string;
let url: string;
let key: string;

beforeAll(async () => {
  [redis, database] = await Promise.all([startTemporaryRedis(), createDatabase({ migrated: true })]);
  [redisProxy, postgresProxy] = await Promise.all([
    CuttingProxy.start(redis.url),
    CuttingProxy.start(databaseUrl(database)),
  ]);
  const metricsPort = await freePort();
  metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
  node = await startNode({
    port: await freePort(),
    databaseUrl: postgresProxy.through(databaseUrl(database)),
    env: {
      REDIS_URL: redisProxy.through(redis.url),
      DATABASE_GRACE_MS: String(GRACE_MS),
      EGRESS_ALLOW: '127.0.0.1:9',
      METRICS_PORT: String(metricsPort),
      LOG_LEVEL: 'error',
    },
  });
  management = managementOf(() => node.url);
  await management.tenant('acme');
  await management.server('acme', 'kinds', everyKind('http://127.0.0.1:9'));
  url = management.mcpUrl('acme', 'kinds');
  key = (await management.key('acme')).key;
  await expectServed();
}, 60_000);
afterEach(async () => {
  expect(node.alive, node.output()).toBe(true);
  redisProxy.reopen();
  postgresProxy.reopen();
  await expect.poll(async () => (await readiness()).body.status, { timeout: 20_000 }).toBe('ready');
});
afterAll(async () => {
  await node?.kill();
  await Promise.all([redisProxy?.stop(), postgresProxy?.stop()]);
  await redis?.stop();
  if (database !== undefined) await dropDatabase(database);
});

const modern = (withKey = key, at = url) => new ModernClient(at, withKey);

async function expectServed(): Promise<void> {
  const answer = await modern().call('policy', { team: 'red' });
  expect([answer.status, textOf(await answer.result())]).toEqual([200, 'Rules of red.']);
}

async function readiness() {
  const answer = await fetch(`${node.url}/readyz`);
  return { status: answer.status, body: (await answer.json()) as Record<string, never> };
}

async function gauge(name: string): Promise<number | undefined> {
  const text = await (await fetch(metricsUrl)).text();
  const value = new RegExp(`^gantry_${name} (\\d+)$`, 'm').exec(text)?.[1];
  return value === undefined ? undefined : Number(value);
}

async function expectUnavailable(answer: Answer): Promise<void> {
  const { error } = JSON.parse(await answer.body());
  expect([answer.status, answer.headers['retry-after'], error.code]).toEqual([
    503,
    expect.stringMatching(/^\d+$/),
    -32603,
  ]);
}

describe.each([
  ['is cut', () => redisProxy.cut()],
  ['is silent', () => redisProxy.stall()],
])('while Redis %s', (_how, take) => {
  it('sessions are 503 with Retry-After on every verb, stateless calls go on, and all comes back by itself', async () => {
    const session = await new SessionClient(url, key).open();
    take();
    await expect
      .poll(async () => (await readiness()).body, NOTICE)
      .toMatchObject({
        status: 'degraded',
        dependencies: {
          redis: { ok: false, detail: expect.stringMatching(/no answer for \d+ s/) },
          postgres: { ok: true },
        },
      });
    expect([(await readiness()).status, await gauge('redis_up'), await gauge('postgres_up')]).toEqual([200, 0, 1]);
    await expectUnavailable(await session.ask('tools/list'));
    await expectUnavailable(await session.get());
    await expectUnavailable(await session.delete());
    await expectUnavailable(await new SessionClient(url, key).initialize());
    await expectServed();
    redisProxy.reopen();
    await expect.poll(async () => (await readiness()).body.status, NOTICE).toBe('ready');
    expect(await gauge('redis_up')).toBe(1);
    await expect.poll(async () => (await session.ask('tools/list')).status, NOTICE).toBe(200);
    expect((await session.delete()).status).toBe(204);
  });
});

describe.each([
  ['is cut', () => postgresProxy.cut()],
  ['is silent', () => postgresProxy.stall()],
])('while Postgres %s', (_how, take) => {
  it('known servers and keys go on for the time that was set, then are 503, and all comes back by itself', async () => {
    const session = await new SessionClient(url, key).open();
    const taken = Date.now();
    take();
    await expectServed();
    expect((await session.ask('tools/list')).status).toBe(200);
    await expectUnavailable(await modern(mintApiKey().key).call('policy'));
    await expect
      .poll(async () => (await readiness()).body, NOTICE)
      .toMatchObject({
        status: 'degraded',
        dependencies: {
          postgres: { ok: false, detail: expect.stringMatching(/served for \d s more/) },
          redis: { ok: true },
        },
      });
    expect([(await readiness()).status, await gauge('postgres_up')]).toEqual([200, 0]);
    await expectServed();
    await expect.poll(async () => (await readiness()).status, { timeout: GRACE_MS + 5_000 }).toBe(503);
    expect(Date.now() - taken).toBeGreaterThanOrEqual(GRACE_MS - 1_000);
    await expectUnavailable(await modern().call('policy', { team: 'red' }));
    postgresProxy.reopen();
    await expect.poll(async () => (await readiness()).body.status, { timeout: 20_000 }).toBe('ready');
    await expectServed();
    expect((await session.ask('tools/list')).status).toBe(200);
    expect(await gauge('postgres_up')).toBe(1);
  });
});

it('an endpoint that was never asked for is 503 without Postgres, and not told to be missing', async () => {
  postgresProxy.cut();
  await expectUnavailable(await modern(key, management.mcpUrl('acme', 'unheard-of')).call('policy'));
  postgresProxy.reopen();
  await expect
    .poll(async () => (await modern(key, management.mcpUrl('acme', 'unheard-of')).call('policy')).status, NOTICE)
    .toBe(404);
});
