// npm run migrate: brings the database of DATABASE_URL to this version's schema. May run twice or in parallel.
import { build } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { migrateFromEnvironment } from './lib/migrate.mjs';
import { run } from './lib/paths.mjs';

run(() =>
  migrateFromEnvironment(async () => {
    await ensureInstalled();
    await build(['@gantry/api']);
  }),
);
