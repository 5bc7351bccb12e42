// The migrate step of an image: as npm run migrate, where everything is installed and built.
import { migrateFromEnvironment } from '../scripts/lib/migrate.mjs';
import { run } from '../scripts/lib/paths.mjs';

run(() => migrateFromEnvironment());
