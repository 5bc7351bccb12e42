/** A running Redis; see redis.mjs. */
export interface RedisServer {
  readonly port: number;
  readonly url: string;
  readonly pid: number;
  kill(): Promise<void>;
  start(): Promise<void>;
  command(words: readonly string[]): Promise<string>;
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

export function startTemporaryRedis(options?: { appendOnly?: boolean; flags?: string[] }): Promise<RedisServer>;

export function startTemporaryRedisCluster(): Promise<{
  readonly nodes: readonly RedisServer[];
  readonly urls: readonly string[];
  stop(): Promise<void>;
}>;
