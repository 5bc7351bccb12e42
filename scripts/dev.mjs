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

function startApi(supervisor, env) {
  for (const workspace of WORKSPACES) startCompiler(supervisor, workspace);
  let api = spawnApi(supervisor, { LOG_LEVEL: 'info', ...env });
  let timer;
  let restarting = Promise.resolve();
  const restart = async () => {
    if (supervisor.isEnding) return;
    console.log('gantry: something changed, starting the API again');
    api.replaced = true;
    await stopChild(api, 'SIGTERM', GRACE_MS);
    if (!supervisor.isEnding) api = spawnApi(supervisor, { LOG_LEVEL: 'info', ...env });
  };
  for (const workspace of WORKSPACES) {
    const watcher = watch(join(ROOT, workspace, 'dist'), { recursive: true }, (_, name) => {
      if (!name?.endsWith('.js')) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        restarting = restarting.then(restart);
      }, QUIET_MS);
    });
    supervisor.onEnd(() => watcher.close());
  }
  return api;
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
