import { type Clock, systemClock } from '@gantry/mcp-core';
import { createRedisClients, type RedisClients } from '../../src/infra/redis/redis-clients.js';
import { RedisNodeChannel } from '../../src/infra/redis/redis-node-channel.js';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** The connections that a node has, as the application makes them. */
export interface RedisNode {
  readonly redis: RedisClients;
  readonly channel: RedisNodeChannel;
  readonly faults: unknown[];
  close(): void;
}

/** A node that can send commands and hears what is said to it. */
export async function openRedisNode(urls: readonly string[], nodeId: string, clock: Clock = systemClock) {
  const faults: unknown[] = [];
  const redis = createRedisClients(urls, silent);
  const channel = new RedisNodeChannel({ nodeId, redis, clock, onFault: (error) => faults.push(error) });
  const ready = new Promise<void>((resolve) => redis.commands.once('ready', () => resolve()));
  channel.start();
  await Promise.all([ready, channel.whenHearing()]);
  // A cluster's client has to be sent to the right server once before it goes there by itself.
  for (let slot = 0; urls.length > 1 && slot < 32; slot++) await redis.commands.get(`{${slot}}`);
  const node: RedisNode = {
    redis,
    channel,
    faults,
    close() {
      channel.close();
      redis.close();
    },
  };
  return node;
}

/** How often each command was called since the server started. */
export async function commandCounts(redis: RedisClients): Promise<Map<string, number>> {
  const text = (await redis.commands.call('INFO', 'commandstats')) as string;
  const counts = text.matchAll(/cmdstat_([^:]+):calls=(\d+)/g);
  return new Map([...counts].map(([, name, calls]) => [name as string, Number(calls)]));
}
