import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const GENERATOR = fileURLToPath(new URL('../loadgen.mjs', import.meta.url));
const GENERATOR_CPU = '1';

/** Runs one scenario against one server, bounded in time, from the generator's own processor. */
export function generate(server, { scenario, era, connections }, { warm, dur }) {
  return run({
    ...targetOf(server, era),
    scenario,
    c: connections,
    sessions: connections,
    durCpu: dur,
    warmCpu: warm,
    durMs: dur * 1_500,
    warmMs: warm * 1_500,
    timeoutMs: 30_000 + (dur + warm) * 5_000,
  });
}

/** Opens so many sessions with a stream each, leaves them idle, and has all told of a change some times. */
export function generateIdle(server, sessions, more) {
  return run({ ...targetOf(server, '2025-11-25'), scenario: 'idle', sessions, timeoutMs: 180_000, ...more });
}

function targetOf({ url, headers, pid }, era) {
  return { url, era, headers, pids: [pid] };
}

function run(config) {
  const child = spawn('taskset', ['-c', GENERATOR_CPU, process.execPath, GENERATOR, JSON.stringify(config)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => (text += chunk));
    child.once('error', reject);
    child.once('close', () => {
      try {
        resolve(JSON.parse(text.trim().split('\n').at(-1)));
      } catch {
        resolve({ error: `no result: ${text.slice(0, 200)}` });
      }
    });
  });
}
