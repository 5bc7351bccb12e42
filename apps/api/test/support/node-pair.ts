import { afterAll, beforeAll } from 'vitest';
import { type RedisServer, startTemporaryRedis } from '../../../../scripts/lib/redis.mjs';
import { createLogger } from '../../src/common/logging/logger.js';
import type { AppConfig } from '../../src/config/app-config.js';
import { type App, createApp } from '../../src/create-app.js';
import { ADMIN_TOKEN, testConfig } from '../harness/api.js';
import { openTestDatabase, type TestDatabase } from '../harness/database.js';

/** Two nodes in this process, on one database and one Redis, listening on ports of their own. */
export interface NodePair {
  readonly redis: RedisServer;
  readonly db: TestDatabase;
  readonly apps: readonly [App, App];
  /** Base URLs. */
  readonly urls: readonly [string, string];
  /** Asks the management API of the first node, or another, and fails where that fails. */
  admin(method: string, path: string, body?: unknown, node?: 0 | 1): Promise<unknown>;
}

interface Opened extends NodePair {
  close(): Promise<void>;
}

async function open(overrides: Partial<AppConfig>): Promise<Opened> {
  const [redis, db] = await Promise.all([startTemporaryRedis({ appendOnly: true }), openTestDatabase()]);
  const config = testConfig(db.url, { redisUrls: [redis.url], ...overrides });
  const start = async (): Promise<[App, string]> => {
    const app = await createApp({ config, logger: createLogger('silent') });
    return [app, await app.fastify.listen({ host: '127.0.0.1', port: 0 })];
  };
  const [[one, first], [two, second]] = [await start(), await start()];
  const urls = [first, second] as const;
  return {
    redis,
    db,
    apps: [one, two],
    urls,
    async admin(method, path, body, node = 0) {
      const answer = await fetch(`${urls[node]}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${ADMIN_TOKEN}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
      return text === '' ? undefined : JSON.parse(text);
    },
    async close() {
      await Promise.all([one.close(), two.close()]);
      await Promise.all([db.close(), redis.stop()]);
    },
  };
}

/** Gives the test file that calls it two nodes. Its members are there from the first hook on. */
export function useNodePair(overrides: Partial<AppConfig> = {}): NodePair {
  let opened: Opened | undefined;
  beforeAll(async () => {
    opened = await open(overrides);
  });
  afterAll(async () => {
    await opened?.close();
  });
  return new Proxy({} as NodePair, {
    get(_target, member) {
      if (opened === undefined) throw new Error('the nodes are started by beforeAll: use them in a test or a hook');
      return opened[member as keyof Opened];
    },
  });
}
