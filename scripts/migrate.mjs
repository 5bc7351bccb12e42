// npm run migrate: brings the database of DATABASE_URL to this version's schema. May run twice or in parallel.
import { build } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { migrateDatabase } from './lib/migrate.mjs';
import { run, Stop } from './lib/paths.mjs';

run(async () => {
  const databaseUrl = process.env.DATABASE_URL?.trim();
  if (!databaseUrl) throw new Stop('DATABASE_URL: required, expected postgresql://user:password@host:port/database');
  await ensureInstalled();
  await build(['@gantry/api']);
  const applied = await migrateDatabase(databaseUrl);
  console.log(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`);
});
