import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './paths.mjs';

/** The rings of tests, in the order in which they run. `needs` names programs, see system-packages. */
export const RINGS = [
  { name: 'contracts', folder: 'packages/contracts' },
  { name: 'core', folder: 'packages/mcp-core' },
  { name: 'api', folder: 'apps/api', needs: ['redis'] },
  { name: 'conformance', folder: 'apps/api/test/conformance' },
  { name: 'cluster', folder: 'apps/api/test/cluster', needs: ['redis', 'nginx'] },
  { name: 'console', folder: 'apps/admin' },
  { name: 'commands', folder: 'scripts' },
  { name: 'browser', folder: 'apps/admin/e2e', needs: ['chromium', 'redis'] },
];

// Settings of whoever runs the tests must not decide how they end.
const OURS =
  /^(GANTRY_|LIMIT_|ALLOWED_|(PORT|HOST|ADMIN_PORT|ADMIN_URL|API_URL|METRICS_PORT|DATA_DIR|DATABASE_URL|DATABASE_GRACE_MS|REDIS_URL|NODE_URL|SHUTDOWN_GRACE_MS|PUBLIC_URL|EGRESS_ALLOW|TRUSTED_PROXIES|NODE_ROLE|DEMO|LOG_LEVEL|NODE_ENV)$)/;

/**
 * Runs one ring and counts: `{name, passed, failed, skipped, seconds}`. What it printed is shown when it failed.
 * @param env more variables for the tests
 */
export async function runRing(ring, env) {
  const started = Date.now();
  const folder = join(ROOT, ring.folder);
  const seconds = () => (Date.now() - started) / 1000;
  if (!hasTests(folder))
    return { name: ring.name, passed: 0, failed: 1, skipped: 0, seconds: 0, note: 'no tests found' };
  const scratch = mkdtempSync(join(tmpdir(), 'gantry-ring-'));
  try {
    const report = join(scratch, 'report.json');
    const { code, output } = await vitest(folder, report, env);
    const counts = existsSync(report)
      ? countsOf(JSON.parse(readFileSync(report, 'utf8')))
      : { passed: 0, failed: 0, skipped: 0 };
    // A file that does not load, or an error between tests, fails no single test.
    if (code !== 0 && counts.failed === 0) counts.failed = 1;
    if (code !== 0) process.stdout.write(output);
    return { name: ring.name, ...counts, seconds: seconds() };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function countsOf(report) {
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

function vitest(folder, report, env) {
  const args = ['run', '--root', folder, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const kept = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OURS.test(name)));
  const child = spawn(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), ...args], {
    cwd: folder,
    env: { ...kept, ...env, CI: '1', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = (signal) => child.kill(signal);
  process.once('SIGTERM', stop).once('SIGINT', stop);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output = (output + chunk).slice(-200_000);
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      process.off('SIGTERM', stop).off('SIGINT', stop);
      resolve({ code, output });
    });
  });
}

function hasTests(folder) {
  if (!existsSync(folder)) return false;
  return readdirSync(folder, { withFileTypes: true }).some((entry) =>
    entry.isDirectory()
      ? !/^(node_modules|dist|\.next|e2e)$/.test(entry.name) && hasTests(join(folder, entry.name))
      : /\.test\.(ts|tsx|mjs)$/.test(entry.name),
  );
}

/** Lines of a table; the last row is the sum. */
export function table(results) {
  const sum = (field) => results.reduce((total, result) => total + result[field], 0);
  const total = {
    name: 'all',
    passed: sum('passed'),
    failed: sum('failed'),
    skipped: sum('skipped'),
    seconds: sum('seconds'),
  };
  const row = ({ name, passed, failed, skipped, seconds, note }) =>
    [
      name.padEnd(12),
      String(passed).padStart(7),
      String(failed).padStart(7),
      String(skipped).padStart(8),
      `${seconds.toFixed(1)} s`.padStart(9),
      note ? `  ${note}` : '',
    ].join('');
  const head = `${'ring'.padEnd(12)}${'passed'.padStart(7)}${'failed'.padStart(7)}${'skipped'.padStart(8)}${'time'.padStart(9)}`;
  return [head, ...results.map(row), row(total)];
}
