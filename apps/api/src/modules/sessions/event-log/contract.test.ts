import { eventLogContract, FakeClock } from '@gantry/mcp-core/testing';
import { afterAll, beforeAll } from 'vitest';
import { startTemporaryRedis, startTemporaryRedisCluster } from '../../../../../../scripts/lib/redis.mjs';
import { LogNode } from '../../../../test/support/log-nodes.js';

const servers = { one: [] as readonly string[], cluster: [] as readonly string[] };
const stops: Array<() => Promise<void>> = [];

beforeAll(async () => {
  const [one, cluster] = await Promise.all([startTemporaryRedis(), startTemporaryRedisCluster()]);
  servers.one = [one.url];
  servers.cluster = cluster.urls;
  stops.push(() => one.stop(), cluster.stop);
});

afterAll(async () => void (await Promise.all(stops.map((stop) => stop()))));

for (const [name, kind] of [
  ['Redis', 'one'],
  ['Redis Cluster of three nodes', 'cluster'],
] as const) {
  eventLogContract(name, async () => {
    const clock = new FakeClock();
    const node = await LogNode.start(servers[kind], { clock });
    return {
      log: node.log,
      session: () => node.session(),
      advance: (ms) => clock.advance(ms),
      close: () => node.stop(),
    };
  });
}
