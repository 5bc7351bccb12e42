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
  // Named before anything is installed or built; what else may be wrong with it the API's own check says.
  if (!process.env.DATABASE_URL?.trim()) {
    throw new Stop('DATABASE_URL: required, expected postgresql://user:password@host:port/database');
  }
  await prepare();
  const databaseUrl = await fromConfig((config) => config.loadDatabaseUrl(process.env));
  const applied = await migrateDatabase(databaseUrl);
  console.log(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`);
}

/** Checks the environment as the API will; stops with its one line. */
export async function checkEnvironment(env) {
  return fromConfig(({ loadConfig }) => loadConfig(env));
}

async function fromConfig(read) {
  const config = await fromApi('config/load-config.js');
  try {
    return read(config);
  } catch (error) {
    throw error instanceof config.ConfigError ? new Stop(error.message) : error;
  }
}

function fromApi(path) {
  return import(pathToFileURL(join(ROOT, 'apps/api/dist', path)).href);
}
