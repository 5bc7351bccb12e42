import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type RedisServer, startTemporaryRedis } from '../../../../../scripts/lib/redis.mjs';
import { CuttingProxy } from '../../../test/support/cutting-proxy.js';
import { createRedisClients } from './redis-clients.js';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const closes: Array<() => void> = [];
let redis: RedisServer;
let proxy: CuttingProxy;

beforeAll(async () => {
  redis = await startTemporaryRedis();
  proxy = await CuttingProxy.start(redis.port);
});
afterEach(() => {
  for (const close of closes.splice(0)) close();
});
afterAll(async () => {
  await proxy.stop();
  await redis.stop();
});

async function open() {
  const clients = createRedisClients([proxy.through(redis.url)], quiet);
  closes.push(() => clients.close());
  await expect.poll(clients.up).toBe(true);
  return clients;
}

it('leaves a connection that gives no answer for one that does', async () => {
  const { commands } = await open();
  proxy.strand();
  await expect(commands.ping()).rejects.toThrow('timed out');
  const answer = () => commands.ping().catch(String);
  await expect.poll(answer, { timeout: 15_000 }).toBe('PONG');
}, 30_000);

it('fails at once while nobody can be reached, and goes on by itself', async () => {
  const { commands, up } = await open();
  proxy.cut();
  await expect.poll(up).toBe(false);
  await expect(commands.ping()).rejects.toThrow("isn't writeable");
  proxy.reopen();
  await expect.poll(up, { timeout: 10_000 }).toBe(true);
  expect(await commands.ping()).toBe('PONG');
});
