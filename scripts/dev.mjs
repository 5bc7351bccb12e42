// npm run dev: as npm start, and what changes is compiled and started again. The console runs in Next's own dev mode.
import { watch } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from './lib/paths.mjs';
import { stopChild } from './lib/processes.mjs';
import { consoleEnv, serve, spawnApi } from './lib/serve.mjs';
import { spawnTethered } from './lib/tether.mjs';

const WORKSPACES = ['packages/contracts', 'packages/mcp-core', 'apps/api'];
const QUIET_MS = 400;
const GRACE_MS = 2_000;
// A killed node leaves its lease behind, and the next one would have to wait for it.
const API_GRACE_MS = 6_500;

function startApi(supervisor, env) {
  const spawn = () => {
    const child = spawnApi(supervisor, { LOG_LEVEL: 'info', ...env });
    // Once it has run, code that does not start is a step on the way, not the end.
    child.once('message', () => {
      child.replaced = true;
    });
    child.once('exit', () => {
      if (child.replaced && child === api && !supervisor.isEnding)
        console.log('gantry: the API ended; waiting for a change');
    });
    return child;
  };
  let api = spawn();
  const restart = async () => {
    if (supervisor.isEnding) return;
    console.log('gantry: something changed, starting the API again');
    const old = api;
    old.replaced = true;
    api = undefined;
    await stopChild(old, 'SIGTERM', API_GRACE_MS);
    if (supervisor.isEnding) return;
    api = spawn();
    api.replaced = true;
  };
  // The compilers begin by writing everything anew: not under a process that is just reading it.
  api.once('message', () => watchSources(supervisor, restart));
  return api;
}

/** Compiles what changes, and calls `restart` after each compilation, one call at a time. */
function watchSources(supervisor, restart) {
  let timer;
  let restarting = Promise.resolve();
  for (const workspace of WORKSPACES) {
    startCompiler(supervisor, workspace);
    const watcher = watch(join(ROOT, workspace, 'dist'), { recursive: true }, (_, name) => {
      if (!name?.endsWith('.js')) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        restarting = restarting.then(restart);
      }, QUIET_MS);
    });
    supervisor.onEnd(() => watcher.close());
  }
}

function startCompiler(supervisor, workspace) {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const config = join(ROOT, workspace, 'tsconfig.build.json');
  const child = spawnTethered(process.execPath, [tsc, '-p', config, '--watch', '--preserveWatchOutput'], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  supervisor.add(`compiler of ${workspace}`, child, GRACE_MS);
}

function startConsole(supervisor, config) {
  const next = join(ROOT, 'node_modules/next/dist/bin/next');
  const args = ['dev', '--port', String(config.adminPort), '--hostname', config.host];
  const child = spawnTethered(process.execPath, [next, ...args], {
    cwd: join(ROOT, 'apps/admin'),
    env: { ...consoleEnv(config), NODE_ENV: 'development' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return supervisor.add('console', child, GRACE_MS);
}

run(async () => {
  process.exit(await serve({ startApi, startConsole, workspaces: ['@gantry/api'] }));
});
