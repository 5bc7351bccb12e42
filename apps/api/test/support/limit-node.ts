import { FakeClock } from '@gantry/mcp-core/testing';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { type RedisServer, startTemporaryRedis } from '../../../../scripts/lib/redis.mjs';
import { createLogger } from '../../src/common/logging/logger.js';
import { createRedisClients, type RedisClients } from '../../src/infra/redis/redis-clients.js';
import { RedisCallLimits } from '../../src/modules/usage/redis-call-limits.js';
import { RedisListenLimits } from '../../src/modules/usage/redis-listen-limits.js';
import { RedisPlaces } from '../../src/modules/usage/redis-places.js';

/** The limits of one node of several on a Redis, with a hand on its time. */
export class LimitNode {
  readonly clock = new FakeClock();
  readonly faults: unknown[] = [];
  readonly places: RedisPlaces;
  readonly calls: RedisCallLimits;
  readonly listens: RedisListenLimits;
  private passedMs = 0;

  private constructor(
    readonly redis: RedisClients,
    nodeId: string,
    gone: ReadonlySet<string>,
  ) {
    this.places = new RedisPlaces({
      redis,
      nodeId,
      clock: this.clock,
      isGone: (node) => gone.has(node),
      onFault: (error) => this.faults.push(error),
    });
    const now = () => Date.now() + this.passedMs;
    this.calls = new RedisCallLimits(this.places, now);
    this.listens = new RedisListenLimits(this.places);
  }

  /** @param gone nodes that are known to be gone; may grow */
  static async open(
    urls: string | readonly string[],
    nodeId: string,
    gone: ReadonlySet<string> = new Set(),
  ): Promise<LimitNode> {
    const node = new LimitNode(createRedisClients([urls].flat(), createLogger('silent')), nodeId, gone);
    await node.up();
    return node;
  }

  async up(): Promise<void> {
    await vi.waitFor(() => {
      if (!this.redis.up()) throw new Error('not connected yet');
    }, 10_000);
    await this.forgetCommands();
  }

  /** This node's clock goes on. */
  pass(ms: number): void {
    this.passedMs += ms;
  }

  /** What Redis counts grows older. */
  async age(ms: number): Promise<void> {
    const { commands } = this.redis;
    for (const key of await commands.keys('*:minute')) {
      const left = (await commands.pttl(key)) - ms;
      if (left > 0) await commands.pexpire(key, left);
      else await commands.del(key);
    }
  }

  /** Resolves when everything sent so far is answered, with what is sent again because a script was not known. */
  async answered(): Promise<void> {
    for (let i = 0; i < 3; i += 1) await this.redis.commands.ping();
  }

  async heldIn(tenantId: string): Promise<Record<string, string>> {
    return this.redis.commands.hgetall(`gantry:{${tenantId}}:calls`);
  }

  async forgetCommands(): Promise<void> {
    await this.redis.commands.config('RESETSTAT');
  }

  /** How often clients have sent what since then, but for these commands of tests and what scripts do. */
  async commands(): Promise<Record<string, number>> {
    const stats = await this.redis.commands.info('commandstats');
    const sent = [...stats.matchAll(/cmdstat_(evalsha|eval|multi|exec|publish):calls=(\d+)/g)];
    return Object.fromEntries(sent.map(([, name, calls]) => [name, Number(calls)]));
  }

  close(): void {
    this.places.close();
    this.redis.close();
  }
}

/** Opens nodes for the test file that calls it, on one Redis that is empty before each test; they close with the test. */
export function useLimitNodes(): { open(id: string, gone?: ReadonlySet<string>): Promise<LimitNode> } {
  let redis: RedisServer;
  let nodes: LimitNode[] = [];
  beforeAll(async () => {
    redis = await startTemporaryRedis();
  });
  afterAll(() => redis?.stop());
  afterEach(async () => {
    await nodes[0]?.redis.commands.flushall();
    for (const node of nodes) node.close();
    nodes = [];
  });
  return {
    async open(id, gone) {
      const node = await LimitNode.open(redis.url, id, gone);
      nodes.push(node);
      return node;
    },
  };
}
