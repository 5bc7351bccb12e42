import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { Database } from '../../src/infra/prisma/database.js';
import { createPool } from '../../src/infra/prisma/pool.js';

/** Name of the migrated database that test databases are copied from. */
export const TEMPLATE = 'gantry_template';

/** A database of one test file. */
export interface TestDatabase {
  /** Connection string of the superuser, as `DATABASE_URL` would hold it. */
  readonly url: string;
  /** Connections as the application has them, bound by row-level security. */
  readonly pool: pg.Pool;
  readonly database: Database;
  /** Connections of the superuser that nothing binds: to arrange and to look. */
  readonly superuser: pg.Pool;
  close(): Promise<void>;
}

/** Connection string of the superuser for a database of the test server. */
export function databaseUrl(name: string): string {
  return `${inject('postgresUrl')}${name}`;
}

/** An empty database (`migrated: false`) or one with this version's schema. The caller drops it by `dropDatabase`. */
export async function createDatabase({ migrated }: { migrated: boolean }): Promise<string> {
  const name = `t_${randomBytes(8).toString('hex')}`;
  await onServer(`CREATE DATABASE ${name}${migrated ? ` TEMPLATE ${TEMPLATE}` : ''}`);
  return name;
}

export async function dropDatabase(name: string): Promise<void> {
  await onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

/** A migrated database with its pools, for tests that end it themselves. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const name = await createDatabase({ migrated: true });
  const url = databaseUrl(name);
  const pool = createPool({ databaseUrl: url, logger: { warn() {} } });
  const superuser = new pg.Pool({ connectionString: url, max: 4 });
  superuser.on('error', () => undefined);
  const database = new Database(pool);
  return {
    url,
    pool,
    database,
    superuser,
    async close() {
      await database.close();
      await Promise.all([pool.end(), superuser.end()]);
      await dropDatabase(name);
    },
  };
}

/**
 * Gives the test file (or `describe` block) that calls it a migrated database of its own. Its members are there from
 * the first `beforeAll` after this call on.
 */
export function useDatabase(): TestDatabase {
  let opened: TestDatabase | undefined;
  const current = () => {
    if (!opened) throw new Error('the test database is opened by beforeAll: use it inside a test or a hook');
    return opened;
  };
  beforeAll(async () => {
    opened = await openTestDatabase();
  });
  afterAll(async () => {
    await opened?.close();
  });
  return {
    get url() {
      return current().url;
    },
    get pool() {
      return current().pool;
    },
    get database() {
      return current().database;
    },
    get superuser() {
      return current().superuser;
    },
    close: () => current().close(),
  };
}

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl('postgres') });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
