import { Cluster, type ClusterOptions, Redis, type RedisOptions } from 'ioredis';
import type { Log } from '../tokens.js';

/** A Redis, or the nodes of a Redis Cluster. */
export type RedisCommands = Redis | Cluster;

export interface RedisClients {
  /** For commands and scripts. Fails at once while Redis is away: nothing waits in a queue for it to come back. */
  readonly commands: RedisCommands;
  /** A new connection for subscriptions, to the next server; whoever asks closes it. It does not come back by itself. */
  readonly connectSubscriber: () => Redis;
  /** True while commands can be sent. */
  readonly up: () => boolean;
  close(): void;
}

const CONNECT_MS = 5_000;
/** A Redis that does not answer within this is away, whatever its socket says. */
const COMMAND_MS = 2_000;
/**
 * A connection that waits for an answer and hears nothing for this long is dead: the other end is gone without a word, and
 * the operating system would take a quarter of an hour to notice.
 */
const SILENT_MS = 5_000;
const RETRY_MAX_MS = 1_000;

const COMMON: RedisOptions = {
  connectTimeout: CONNECT_MS,
  socketTimeout: SILENT_MS,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  keepAlive: 10_000,
};

/** @param urls one URL of a server, or several of one cluster's nodes, as `REDIS_URL` names them */
export function createRedisClients(urls: readonly string[], log: Log): RedisClients {
  const commands = connectCommands(urls);
  // Told once for each outage; an address may hold a password and is not said.
  let away = false;
  commands.on('error', (error: Error) => {
    if (!away) log.warn({ reason: error.message.split('\n')[0] }, 'redis is away');
    away = true;
  });
  commands.on('ready', () => {
    if (away) log.info({}, 'redis is back');
    away = false;
  });
  let next = 0;
  return {
    commands,
    connectSubscriber: () => {
      const url = urls[next++ % urls.length] as string;
      return new Redis(url, { ...COMMON, retryStrategy: () => null, autoResubscribe: false });
    },
    up: () => commands.status === 'ready',
    close: () => commands.disconnect(),
  };
}

/** How long to wait before the next attempt to connect. */
export function reconnectDelayMs(attempt: number): number {
  return Math.min(50 * 2 ** Math.min(attempt, 5), RETRY_MAX_MS);
}

function connectCommands(urls: readonly string[]): RedisCommands {
  const each = { ...COMMON, commandTimeout: COMMAND_MS };
  if (urls.length === 1) return new Redis(urls[0] as string, { ...each, retryStrategy: reconnectDelayMs });
  const options: ClusterOptions = {
    redisOptions: each,
    enableOfflineQueue: false,
    clusterRetryStrategy: reconnectDelayMs,
    slotsRefreshTimeout: CONNECT_MS,
  };
  return new Cluster([...urls], options);
}
