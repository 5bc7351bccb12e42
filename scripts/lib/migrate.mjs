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
