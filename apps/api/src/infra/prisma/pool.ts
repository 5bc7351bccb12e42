import type { Logger } from '@gantry/mcp-core';
import pg from 'pg';

/** The role that owns no table and that row-level security binds; the first migration creates it. */
export const APP_ROLE = 'gantry_app';

const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 15_000;
const LOCK_TIMEOUT_MS = 5_000;
const IDLE_IN_TRANSACTION_MS = 30_000;
const IDLE_MS = 30_000;

export interface PoolOptions {
  readonly databaseUrl: string;
  /** Upper bound of open connections; 10 by default. */
  readonly max?: number;
  readonly logger: Pick<Logger, 'warn'>;
}

const SETTINGS = [
  `SET ROLE ${APP_ROLE}`,
  `SET statement_timeout = ${STATEMENT_TIMEOUT_MS}`,
  `SET lock_timeout = ${LOCK_TIMEOUT_MS}`,
  `SET idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`,
].join('; ');

/**
 * The application's connections. Each one takes the application's role before anybody gets it, so that even the
 * `DATABASE_URL` of a superuser is bound by row-level security; one that cannot take it is closed and never used.
 * The role is a setting of the session: a pooler in between must pool sessions, not transactions.
 */
export function createPool({ databaseUrl, max = 10, logger }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'gantry',
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    onConnect: takeRole,
  });
  // Without a listener, a connection that breaks while idle would end the process.
  pool.on('error', (error) => logger.warn({ err: error }, 'an idle database connection broke'));
  return pool;
}

async function takeRole(client: pg.ClientBase): Promise<void> {
  await client.query(SETTINGS);
}
