import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Check, type Outcome, scenarioOf } from './gate.js';
import type { Run } from './runs.js';

const PRELOAD = fileURLToPath(new URL('loaders/preload.mjs', import.meta.url));
const LIMIT_MS = 240_000;
const packages = createRequire(import.meta.url);

/** The endpoint under test. */
export interface Target {
  readonly url: string;
  readonly key: string;
}

/** Runs one selection of the official suite in a process of its own, and reads what it wrote of each scenario. */
export async function runSuite({ suite, args }: Run, target: Target): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-conformance-'));
  try {
    const { code, output } = await execute(
      [entryOf(suite), 'server', '--url', target.url, ...args, '-o', folder],
      target,
    );
    return { code, output, scenarios: readScenarios(folder) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The program of an installed version. */
function entryOf(suite: string): string {
  return join(dirname(packages.resolve(`${suite}/package.json`)), 'dist/index.js');
}

function execute(args: string[], { url, key }: Target): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['--import', PRELOAD, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      NO_COLOR: '1',
      CONFORMANCE_ORIGIN: new URL(url).origin,
      CONFORMANCE_AUTHORIZATION: `Bearer ${key}`,
    },
  });
  const late = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-100_000);
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(late);
      resolve({ code, output });
    });
  });
}

/** The checks of each scenario that left a folder; undefined where the file of checks is missing or no list. */
function readScenarios(folder: string): Map<string, Check[] | undefined> {
  return new Map(readdirSync(folder).map((name) => [scenarioOf(name), readChecks(join(folder, name, 'checks.json'))]));
}

function readChecks(file: string): Check[] | undefined {
  try {
    const checks = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(checks) ? checks : undefined;
  } catch {
    return undefined;
  }
}
