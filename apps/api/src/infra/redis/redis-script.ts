import { createHash } from 'node:crypto';
import type { RedisCommands } from './redis-clients.js';

/** A Lua script, sent by its hash; its text only to a server that does not know it yet. */
export class RedisScript {
  private readonly sha: string;

  constructor(private readonly source: string) {
    this.sha = createHash('sha1').update(source).digest('hex');
  }

  /** One command. @throws what Redis answers, or that it cannot be reached */
  async run(
    redis: RedisCommands,
    keys: readonly string[],
    args: readonly (string | number | Buffer)[],
  ): Promise<unknown> {
    try {
      return await redis.evalsha(this.sha, keys.length, ...keys, ...args);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return redis.eval(this.source, keys.length, ...keys, ...args);
    }
  }

  /**
   * As `run`, with the whole text each time: what is sent one after the other is done so, by a server that does not know
   * the script yet too.
   */
  runInOrder(
    redis: RedisCommands,
    keys: readonly string[],
    args: readonly (string | number | Buffer)[],
  ): Promise<unknown> {
    return redis.eval(this.source, keys.length, ...keys, ...args);
  }
}
