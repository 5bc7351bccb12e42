import { startTemporaryRedis } from '../../../../../../scripts/lib/redis.mjs';
import { openTestDatabase, type TestDatabase } from '../../../../test/harness/database.js';
import { transportSuite } from '../../../../test/support/transport-suite.js';
import { APP_ROLE } from '../../../infra/prisma/pool.js';
import { postgresTransport, redisTransport } from './bullmq-transport.js';

const unheard = () => {};

let redis: Awaited<ReturnType<typeof startTemporaryRedis>>;
transportSuite('redis', {
  async start() {
    redis = await startTemporaryRedis();
  },
  stop: () => redis.stop(),
  make: (times) => redisTransport([redis.url], unheard, times),
  settings: () => ({ kind: 'redis', url: redis.url }),
  async cut() {
    await redis.command(['CLIENT', 'KILL', 'TYPE', 'normal']);
  },
});

let database: TestDatabase;
transportSuite('postgres', {
  async start() {
    database = await openTestDatabase();
  },
  stop: () => database.close(),
  make: (times) => postgresTransport(database.url, APP_ROLE, unheard, times),
  settings: () => ({ kind: 'postgres', url: database.url }),
  async cut() {
    await database.superuser.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
  },
});
