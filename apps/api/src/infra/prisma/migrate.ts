import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { runMigrations } from 'bullmq';
import pg from 'pg';
import {
  MIGRATIONS_DIR,
  type Migration,
  MigrationError,
  pendingMigrations,
  readApplied,
  readMigrations,
} from './migrations.js';
import { APP_ROLE } from './pool.js';

export { isSchemaCurrent, MigrationError, schemaFault } from './migrations.js';

export interface MigrateOptions {
  readonly databaseUrl: string;
  /** How long to wait for a database that does not answer yet; 60 s by default. */
  readonly waitMs?: number;
  readonly dir?: string;
  /** Called once when the database lets us wait. */
  readonly onWait?: (message: string) => void;
}

const WAIT_MS = 60_000;
const RETRY_MS = 500;
const CONNECT_MS = 5_000;
const LOCK_WAIT_MS = 120_000;
const LOCK_RETRY_MS = 100;
// The lock that Prisma's own engine takes, so that `prisma migrate deploy` and this never run at once.
const LOCK_KEY = 72_707_369;

const QUEUE_SCHEMA = 'bullmq';
/** Grants of two runners at a time fail each other. Released with the connection at the latest. */
const QUEUE_LOCK = 72_707_371;
const QUEUE_GRANTS = `GRANT USAGE ON SCHEMA ${QUEUE_SCHEMA} TO ${APP_ROLE};
  GRANT SELECT, INSERT, UPDATE, DELETE, TRUNCATE ON ALL TABLES IN SCHEMA ${QUEUE_SCHEMA} TO ${APP_ROLE};
  GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA ${QUEUE_SCHEMA} TO ${APP_ROLE};
  GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${QUEUE_SCHEMA} TO ${APP_ROLE}`;

const NEEDS_CREATEROLE =
  '; the first migration makes the role gantry_app, which needs a user with CREATEROLE or a superuser';

// As Prisma creates it.
const HISTORY_TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`;

/**
 * Brings a database to this version's schema: each migration in a transaction of its own, recorded in Prisma's
 * history table, one runner at a time. May run twice or in parallel.
 * @returns the names that were applied, oldest first; empty when nothing was to do.
 * @throws MigrationError with one line, without credentials.
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const migrations = await readMigrations(options.dir ?? MIGRATIONS_DIR);
  const client = await connect(options);
  try {
    const applied: string[] = [];
    for (;;) {
      const name = await applyNext(client, migrations);
      if (name === undefined) break;
      applied.push(name);
    }
    await prepareQueue(client);
    return applied;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The queue brings its own schema for its Postgres backend; it is made here, because the application owns nothing. */
async function prepareQueue(client: pg.Client): Promise<void> {
  try {
    await client.query(`SET lock_timeout = ${LOCK_WAIT_MS}`);
    await client.query('SELECT pg_advisory_lock($1)', [QUEUE_LOCK]);
    await runMigrations(client, QUEUE_SCHEMA);
    await client.query(QUEUE_GRANTS);
    await client.query('SELECT pg_advisory_unlock($1)', [QUEUE_LOCK]);
  } catch (error) {
    throw new MigrationError(`the schema of the queue could not be made: ${reasonOf(error)}`);
  }
}

async function connect({ databaseUrl, waitMs = WAIT_MS, onWait }: MigrateOptions): Promise<pg.Client> {
  const place = describe(databaseUrl);
  const end = Date.now() + waitMs;
  let told = false;
  for (;;) {
    let client: pg.Client | undefined;
    try {
      client = new pg.Client({
        connectionString: databaseUrl,
        application_name: 'gantry migrate',
        connectionTimeoutMillis: Math.max(1, Math.min(CONNECT_MS, end - Date.now())),
      });
      // A connection that breaks between two queries fails the next one; unheard, it would end the process.
      client.on('error', () => undefined);
      await client.connect();
      return client;
    } catch (error) {
      await client?.end().catch(() => undefined);
      const reason = reasonOf(error);
      if (!mayComeUp(error)) throw new MigrationError(`DATABASE_URL: ${place} refused the connection: ${reason}`);
      if (Date.now() >= end) {
        throw new MigrationError(`DATABASE_URL: no database at ${place} within ${waitMs / 1000} s: ${reason}`);
      }
      if (!told) onWait?.(`waiting for the database at ${place} (${reason})`);
      told = true;
      await delay(Math.min(RETRY_MS, Math.max(1, end - Date.now())));
    }
  }
}

/** Applies the oldest pending migration; undefined when there is none. */
async function applyNext(client: pg.Client, migrations: readonly Migration[]): Promise<string | undefined> {
  try {
    await client.query('BEGIN');
    await lock(client);
    await client.query(HISTORY_TABLE);
    const next = pendingMigrations(migrations, await readApplied(client))[0];
    if (next) await apply(client, next);
    await client.query('COMMIT');
    return next?.name;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error instanceof MigrationError ? error : new MigrationError(`the migration failed: ${reasonOf(error)}`);
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  const startedAt = new Date();
  try {
    await client.query(migration.sql);
  } catch (error) {
    const hint = /permission denied to create role/.test(reasonOf(error)) ? NEEDS_CREATEROLE : '';
    throw new MigrationError(`migration ${migration.name} failed, nothing of it was kept: ${reasonOf(error)}${hint}`);
  }
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, $4, clock_timestamp(), 1)`,
    [randomUUID(), migration.checksum, migration.name, startedAt],
  );
}

async function lock(client: pg.Client): Promise<void> {
  const end = Date.now() + LOCK_WAIT_MS;
  for (;;) {
    const { rows } = await client.query('SELECT pg_try_advisory_xact_lock($1) AS got', [LOCK_KEY]);
    if (rows[0].got) return;
    if (Date.now() >= end) throw new MigrationError('another migration holds the lock and does not end');
    await delay(LOCK_RETRY_MS);
  }
}

/** Host, port and database of a connection string, without user and password. */
function describe(databaseUrl: string): string {
  try {
    const url = new URL(databaseUrl);
    return `${url.hostname || 'localhost'}:${url.port || 5432}${url.pathname}`;
  } catch {
    return 'the given address';
  }
}

function mayComeUp(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? '';
  // Wrong credentials and a wrong address stay wrong; a database that starts, is full or is not created yet may come.
  return !/^28|^ERR_INVALID_URL$/.test(code);
}

function reasonOf(error: unknown): string {
  const { errors, code, message } = error as { errors?: Error[]; code?: string; message?: string };
  // Node reports both address families at once, with an empty message of its own.
  const text = message || errors?.map((one) => one.message).join(', ') || code || String(error);
  return text.replace(/\s+/g, ' ').trim();
}
