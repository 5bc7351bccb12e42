import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startTemporaryPostgres } from '../../../../scripts/lib/postgres.mjs';
import { migrate } from '../../src/infra/prisma/migrate.js';
import { TEMPLATE } from './database.js';

/** One server a test run, with a migrated template that each test file copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startTemporaryPostgres();
  try {
    const admin = new pg.Client({ connectionString: server.url('postgres') });
    await admin.connect();
    await admin.query(`CREATE DATABASE ${TEMPLATE}`);
    await admin.end();
    await migrate({ databaseUrl: server.url(TEMPLATE) });
  } catch (error) {
    await server.stop();
    throw error;
  }
  project.provide('postgresUrl', server.url(''));
  return () => server.stop();
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** Connection string of the superuser, up to the slash before the database's name. */
    postgresUrl: string;
  }
}
