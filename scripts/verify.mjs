// npm run verify: what takes longer than a test may. 100 000 mutated messages to the engine; five minutes of chaos on three
// nodes; a tenant beside one with 5 000 jobs; the steps of the images (see image-steps.mjs); then what a newcomer does: clones HEAD, starts it on free ports,
// and runs the printed curl line.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChaos } from './lib/chaos.mjs';
import { ROOT, run, Stop } from './lib/paths.mjs';
import { ended, freePort, waitUntil } from './lib/processes.mjs';

const START_MS = 600_000;
const STOP_MS = 10_000;
const MUTATED_MESSAGES = 100_000;
const CHAOS_SECONDS = 300;
const NEIGHBOUR_TEST = 'noisy-neighbour.test.ts';
const MUTATED_TEST = 'src/transports/streamable-http/mutated-messages.test.ts';

run(async () => {
  sendMutatedMessages();
  if (!runChaos({ seconds: CHAOS_SECONDS }))
    throw new Stop('chaos found a fault; the seed above makes the same choices');
  measureNeighbour();
  buildImages();
  const folder = mkdtempSync(join(tmpdir(), 'gantry-verify-'));
  chmodSync(folder, 0o755);
  try {
    const clone = join(folder, 'gantry');
    if (spawnSync('git', ['clone', '--quiet', ROOT, clone], { stdio: 'inherit' }).status !== 0)
      throw new Stop('git clone failed');
    await startAndCall(clone);
    console.log('verified: a clean clone starts, answers its own curl line, and stops');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

function sendMutatedMessages() {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const { status } = spawnSync(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', MUTATED_TEST], {
    cwd: join(ROOT, 'packages/mcp-core'),
    env: { ...process.env, GANTRY_MUTATED_MESSAGES: String(MUTATED_MESSAGES), GANTRY_SEED: String(seed) },
    stdio: 'inherit',
  });
  if (status !== 0) throw new Stop(`mutated messages found a fault; GANTRY_SEED=${seed} repeats it`);
}

function measureNeighbour() {
  const { status } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', NEIGHBOUR_TEST],
    {
      cwd: join(ROOT, 'apps/api/test/cluster'),
      env: { ...process.env, GANTRY_MEASURED: '1' },
      stdio: 'inherit',
    },
  );
  if (status !== 0) throw new Stop('a tenant is slowed down by the jobs of another, see above');
}

function buildImages() {
  const { status } = spawnSync(process.execPath, [join(ROOT, 'scripts/image-steps.mjs')], { stdio: 'inherit' });
  if (status !== 0) throw new Stop('the images are not as they should be, see above');
}

async function startAndCall(clone) {
  const env = {
    ...process.env,
    PORT: String(await freePort()),
    ADMIN_PORT: String(await freePort()),
    DATA_DIR: join(clone, 'data'),
  };
  const child = spawn('npm', ['start'], { cwd: clone, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    process.stdout.write(chunk);
    output += chunk;
  });
  try {
    await waitUntil(() => /^ {2}curl .*\n/m.test(output) || child.exitCode !== null, START_MS, 200);
    const line = /^ {2}(curl .*)$/m.exec(output)?.[1];
    if (!line) throw new Stop('npm start did not become ready');
    const call = spawnSync('/bin/sh', ['-c', line], { encoding: 'utf8', timeout: 30_000 });
    console.log(call.stdout);
    if (!/"result"/.test(call.stdout)) throw new Stop('the curl line got no result');
  } catch (error) {
    await stopGroup(child);
    throw error;
  }
  if (!(await stopGroup(child))) throw new Stop('npm start did not stop within 10 s');
}

/** True when the start and all it started ended in time. */
async function stopGroup(child) {
  if (child.exitCode !== null) return true;
  process.kill(-child.pid, 'SIGTERM');
  if (await ended(child, STOP_MS)) return true;
  process.kill(-child.pid, 'SIGKILL');
  return false;
}
