// Many idle sessions, each with an open stream, on one node: what each costs, how fast they open, how soon all are told of a
// change. Beside the same number of streams on a hand-written endpoint.
import { Redis } from 'ioredis';
import { startTemporaryRedis } from '../../scripts/lib/redis.mjs';
import { startFloor } from './floor.mjs';
import { startGantryNodes } from './gantry.mjs';
import { generateIdle } from './generate.mjs';

const LIMITS = { kib: 16, openRatio: 2.65, broadcastRatio: 1.7, redisKib: 30 };

/**
 * @param sessions how many
 * @returns `{text, ok}`
 */
export async function measureIdle(sessions) {
  const floor = await onFloor(sessions);
  const embedded = await onGantry(sessions, undefined);
  const redis = await startTemporaryRedis();
  const client = new Redis(redis.url);
  try {
    const empty = await usedKib(client);
    const shared = await onGantry(sessions, redis.url, async () => ((await usedKib(client)) - empty) / sessions);
    return verdict(sessions, { floor, embedded, shared });
  } finally {
    client.disconnect();
    await redis.stop();
  }
}

async function onFloor(sessions) {
  const server = await startFloor();
  try {
    return await generateIdle(server, sessions, {});
  } finally {
    await server.stop();
  }
}

async function onGantry(sessions, redisUrl, measured = async () => undefined) {
  const gantry = await startGantryNodes({ redisUrl });
  try {
    const [node] = gantry.nodes;
    const token = node.adminHeaders;
    const broadcastBy = {
      url: `${node.base}/api/v1/tenants/bench/servers/bench/notify`,
      init: {
        method: 'POST',
        headers: { ...token, 'content-type': 'application/json' },
        body: JSON.stringify({ listChanged: ['tools'] }),
      },
    };
    const result = await generateIdle(node, sessions, { broadcastBy });
    return { ...result, redisKib: await measured() };
  } finally {
    await gantry.stop();
  }
}

async function usedKib(client) {
  const info = await client.info('memory');
  return Number(/used_memory:(\d+)/.exec(info)?.[1]) / 1_024;
}

function verdict(sessions, { floor, embedded, shared }) {
  const row = (name, { kibPerSession, openCpuPer1k, openPerSec, broadcast, dead, redisKib }) =>
    `| ${name} | ${kibPerSession.toFixed(1)} | ${openCpuPer1k.toFixed(3)} | ${openPerSec.toFixed(0)} | ${broadcast?.ms.toFixed(0)} ms, ${broadcast?.cpu_per_1k.toFixed(3)} s, ${broadcast?.got} told | ${redisKib?.toFixed(1) ?? ''} | ${dead} |`;
  const checks = [
    ['KiB a session, embedded', embedded.kibPerSession, LIMITS.kib],
    [
      'CPU to open, × the hand-written endpoint, embedded',
      embedded.openCpuPer1k / floor.openCpuPer1k,
      LIMITS.openRatio,
    ],
    [
      'broadcast, × the hand-written endpoint, embedded',
      embedded.broadcast.ms / floor.broadcast.ms,
      LIMITS.broadcastRatio,
    ],
    ['KiB a session in Redis', shared.redisKib, LIMITS.redisKib],
    ['sessions not told', 2 * sessions - embedded.broadcast.got - shared.broadcast.got, 0],
    ['streams that died', embedded.dead + shared.dead, 0],
  ];
  const text = [
    `| ${sessions} idle sessions | KiB RSS each | CPU s to open 1k | opened/s | broadcast: last, CPU/1k, told | KiB each in Redis | died |`,
    '|---|---|---|---|---|---|---|',
    row('hand-written on Fastify', floor),
    row('gantry, embedded', embedded),
    row('gantry, on Redis', shared),
    '',
    ...checks.map(
      ([label, value, limit]) => `- ${label}: ${value.toFixed(2)} (≤ ${limit} ${value <= limit ? '✓' : '✗'})`,
    ),
  ].join('\n');
  return { text, ok: checks.every(([, value, limit]) => value <= limit) };
}
