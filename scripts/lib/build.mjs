// Builds what changed, through turbo's cache.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { takeLock } from './lock.mjs';
import { ROOT, Stop } from './paths.mjs';

const WAIT_MS = 600_000;

export const API_ENTRY = join(ROOT, 'apps/api/dist/main.js');
export const CONSOLE_ENTRY = join(ROOT, 'apps/admin/.next/standalone/apps/admin/server.js');

/** Environment for turbo and what it runs: no telemetry, no update check. */
export const BUILD_ENV = {
  TURBO_TELEMETRY_DISABLED: '1',
  TURBO_NO_UPDATE_NOTIFIER: '1',
  DO_NOT_TRACK: '1',
  NEXT_TELEMETRY_DISABLED: '1',
};

/** Whether the console's sources are there to be built. */
export const hasConsole = () => existsSync(join(ROOT, 'apps/admin/app'));

/** Builds workspaces and what they depend on; one build a tree at a time. What turbo says is shown when it fails. */
export async function build(workspaces, { quiet = true } = {}) {
  if (workspaces.length === 0) return;
  const lock = await takeLock(join(ROOT, '.turbo', 'build.lock'), { waitMs: WAIT_MS });
  if (lock.holder) throw new Stop(`another process (pid ${lock.holder}) is building for over 10 minutes`);
  try {
    await turbo(['run', 'build', ...workspaces.map((name) => `--filter=${name}`)], { quiet });
  } finally {
    lock.release();
  }
}

/** Runs turbo; throws when it fails. */
export function turbo(args, { quiet = false } = {}) {
  const command = [join(ROOT, 'node_modules/turbo/bin/turbo'), ...args, '--output-logs=errors-only'];
  const child = spawn(process.execPath, command, {
    cwd: ROOT,
    env: { ...process.env, ...BUILD_ENV },
    stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output = (output + chunk).slice(-20_000);
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new Stop(`turbo could not be run: ${error.message}`)));
    child.once('close', (code) => {
      if (code === 0) return resolve();
      process.stderr.write(output);
      reject(new Stop('the build failed, see above'));
    });
  });
}
