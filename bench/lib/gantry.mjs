import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT, Stop } from '../../scripts/lib/paths.mjs';
import { startTemporaryPostgres } from '../../scripts/lib/postgres.mjs';
import { freePort } from '../../scripts/lib/processes.mjs';
import { startPinned } from './pinned.mjs';
import { benchTools } from './tools.mjs';

const NATIVE_PROGRESS = pathToFileURL(join(ROOT, 'bench/lib/native-progress.mjs')).href;
const TOKEN = `bench-${randomBytes(16).toString('hex')}`;
const ADMIN = { authorization: `Bearer ${TOKEN}` };

/**
 * Gantry as one API process on a Postgres of its own, with a tenant, a server of 21 tools and a key. `nodeFlags` go to
 * Node itself, e.g. `--cpu-prof`.
 */
export async function startGantry(nodeFlags = []) {
  const { nodes, stop } = await startGantryNodes({ nodeFlags });
  return { ...nodes[0], stop };
}

/**
 * Several API processes on one Postgres and, with `redisUrl`, one Redis. `roles` are theirs, by their place.
 * @returns `{databaseUrl, nodes: [{name, pid, alive, url, headers, admin(method, path, body), adminHeaders}], stop}`
 */
export async function startGantryNodes({ count = 1, redisUrl, nodeFlags = [], name = 'gantry', env = {}, roles = [] }) {
  const postgres = await startTemporaryPostgres();
  const dataDir = mkdtempSync(join(tmpdir(), 'gantry-bench-'));
  const started = [];
  const stop = async () => {
    await Promise.all(started.map((server) => server.stop()));
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const shared = {
      ...environment(dataDir, postgres.url('postgres')),
      ...(redisUrl && { REDIS_URL: redisUrl }),
      ...env,
    };
    migrate(shared);
    const nodes = [];
    for (let at = 0; at < count; at += 1) {
      const port = await freePort();
      const args = ['--import', NATIVE_PROGRESS, ...nodeFlags, 'apps/api/dist/main.js'];
      const own = { ...shared, PORT: String(port), NODE_ROLE: roles[at] ?? 'all' };
      const server = await startPinned(name, args, { port, env: own, cwd: ROOT });
      started.push(server);
      const base = `http://127.0.0.1:${port}`;
      nodes.push({
        ...server,
        base,
        adminHeaders: ADMIN,
        admin: (method, path, body) => call(base, method, path, body),
      });
    }
    const headers = await prepare(nodes[0].admin);
    const databaseUrl = postgres.url('postgres');
    return {
      databaseUrl,
      nodes: nodes.map((node) => ({ ...node, url: `${node.base}/mcp/bench/bench`, headers })),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function environment(dataDir, databaseUrl) {
  return {
    ADMIN_PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    GANTRY_ADMIN_TOKEN: TOKEN,
    GANTRY_MASTER_KEY: randomBytes(32).toString('hex'),
    DEMO: '0',
    LOG_LEVEL: 'warn',
  };
}

function migrate(env) {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/migrate.mjs'], {
    cwd: ROOT,
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Stop(`migrate failed: ${stderr}`);
}

/** The tenant, its server and a key; gives the headers that use it. */
async function prepare(admin) {
  await admin('POST', '/tenants', { slug: 'bench', name: 'Bench' });
  await admin('PUT', '/tenants/bench/servers/bench', { name: 'Bench', tools: benchTools() });
  const { key } = await admin('POST', '/tenants/bench/keys', { name: 'bench' });
  return { Authorization: `Bearer ${key}` };
}

async function call(base, method, path, body) {
  const answer = await fetch(`${base}/api/v1${path}`, {
    method,
    headers: { ...ADMIN, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Stop(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  const text = await answer.text();
  return text === '' ? undefined : JSON.parse(text);
}
