// Builds the console as a server that stands alone: Next leaves its static files out of it.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BUILD_ENV, CONSOLE_ENTRY } from './lib/build.mjs';
import { ROOT } from './lib/paths.mjs';

const app = join(ROOT, 'apps/admin');
const next = join(ROOT, 'node_modules/next/dist/bin/next');
const result = spawnSync(process.execPath, [next, 'build'], {
  cwd: app,
  env: { ...process.env, ...BUILD_ENV, NODE_ENV: 'production' },
  stdio: 'inherit',
});
if (result.status !== 0) process.exit(result.status ?? 1);

const standalone = join(CONSOLE_ENTRY, '..');
rmSync(join(standalone, '.next/static'), { recursive: true, force: true });
cpSync(join(app, '.next/static'), join(standalone, '.next/static'), { recursive: true });
if (existsSync(join(app, 'public'))) cpSync(join(app, 'public'), join(standalone, 'public'), { recursive: true });
