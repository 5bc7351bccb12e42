import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, Stop } from '../../scripts/lib/paths.mjs';
import { freePort } from '../../scripts/lib/processes.mjs';
import { startPinned } from './pinned.mjs';

const FOLDER = join(ROOT, 'bench/peers');

/** Peers by name: how each is started, and the era it is spoken to in. */
const PEERS = [
  { name: 'sdk1-2025', script: 'sdk1.mjs', era: '2025-11-25' },
  { name: 'sdk2-2026', script: 'sdk2.mjs', mode: 'stateless', era: '2026-07-28' },
  { name: 'sdk2-2025', script: 'sdk2.mjs', mode: 'sessions', era: '2025-11-25' },
  { name: 'mcp-nest-2026', script: 'mcp-nest.mjs', mode: 'stateless', era: '2026-07-28' },
  { name: 'mcp-nest-2025', script: 'mcp-nest.mjs', mode: 'sessions', era: '2025-11-25' },
];

/** Installs what the peers need into their own folder, once for each list of versions, and starts them all. */
export async function startPeers() {
  install();
  const started = [];
  try {
    for (const peer of PEERS) started.push(await start(peer));
    return started;
  } catch (error) {
    for (const server of started) await server.stop();
    throw error;
  }
}

async function start({ name, script, mode, era }) {
  const port = await freePort();
  const args = [join(FOLDER, script), '--port', String(port), ...(mode ? ['--mode', mode] : [])];
  const server = await startPinned(name, args, { port, env: {}, cwd: FOLDER });
  return { ...server, url: `http://127.0.0.1:${port}/mcp`, headers: {}, era };
}

function install() {
  const wanted = readFileSync(join(FOLDER, 'package.json'), 'utf8');
  const mark = join(FOLDER, 'node_modules/.installed.json');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return;
  process.stderr.write('installing the peers …\n');
  const flags = ['--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps'];
  const { status, stderr } = spawnSync('npm', ['install', ...flags], { cwd: FOLDER, encoding: 'utf8' });
  if (status !== 0) throw new Stop(`the peers could not be installed: ${stderr.trim().split('\n').at(-1)}`);
  writeFileSync(mark, wanted);
}
