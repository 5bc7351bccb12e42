import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './paths.mjs';
import { ensureProgram } from './system-packages.mjs';

/** Runs the chaos test for so long. True when nothing was lost, doubled or out of order. */
export function runChaos({ seconds, seed }) {
  const [variable, redis] = ensureProgram('redis');
  const env = { ...process.env, [variable]: redis, GANTRY_CHAOS_SECONDS: String(seconds) };
  if (seed !== undefined) env.GANTRY_SEED = seed;
  const args = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', 'chaos.test.ts'];
  const folder = join(ROOT, 'apps/api/test/cluster');
  return spawnSync(process.execPath, [...args, '--root', folder], { cwd: folder, env, stdio: 'inherit' }).status === 0;
}
