import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT, Stop } from './paths.mjs';

/** Applies what is missing; needs the API to be built. Names what was applied. */
export async function migrateDatabase(databaseUrl) {
  const { migrate, MigrationError } = await fromApi('infra/prisma/migrate.js');
  try {
    return await migrate({ databaseUrl, onWait: (message) => console.log(`gantry: ${message}`) });
  } catch (error) {
    throw error instanceof MigrationError ? new Stop(error.message) : error;
  }
}

/** Brings the database of `DATABASE_URL` to this version's schema and says what was applied. `prepare` comes between. */
export async function migrateFromEnvironment(prepare = async () => {}) {
  const databaseUrl = process.env.DATABASE_URL?.trim();
  if (!databaseUrl) throw new Stop('DATABASE_URL: required, expected postgresql://user:password@host:port/database');
  await prepare();
  const applied = await migrateDatabase(databaseUrl);
  console.log(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`);
}

/** Checks the environment as the API will; stops with its one line. */
export async function checkEnvironment(env) {
  const { loadConfig, ConfigError } = await fromApi('config/load-config.js');
  try {
    return loadConfig(env);
  } catch (error) {
    throw error instanceof ConfigError ? new Stop(error.message) : error;
  }
}

function fromApi(path) {
  return import(pathToFileURL(join(ROOT, 'apps/api/dist', path)).href);
}
