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

const NATIVE_PROGRESS = pathToFileURL(join(ROOT, 'bench/lib/native-progress.mjs')).href;
const TOKEN = `bench-${randomBytes(16).toString('hex')}`;

/**
 * Gantry as one API process on a Postgres of its own, with a tenant, a server of 21 tools and a key. `nodeFlags` go to
 * Node itself, e.g. `--cpu-prof`.
 */
export async function startGantry(nodeFlags = []) {
  const postgres = await startTemporaryPostgres();
  const dataDir = mkdtempSync(join(tmpdir(), 'gantry-bench-'));
  const clean = async () => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const port = await freePort();
    const env = environment(port, dataDir, postgres.url('postgres'));
    const migrated = spawnSync(process.execPath, ['scripts/migrate.mjs'], {
      cwd: ROOT,
      env: { ...process.env, ...env },
    });
    if (migrated.status !== 0) throw new Stop(`migrate failed: ${migrated.stderr}`);
    const server = await startPinned('gantry', ['--import', NATIVE_PROGRESS, ...nodeFlags, 'apps/api/dist/main.js'], {
      port,
      env,
      cwd: ROOT,
    });
    const stop = async () => {
      await server.stop();
      await clean();
    };
    try {
      return { ...server, ...(await prepare(`http://127.0.0.1:${port}`)), stop };
    } catch (error) {
      await server.stop();
      throw error;
    }
  } catch (error) {
    await clean();
    throw error;
  }
}

function environment(port, dataDir, databaseUrl) {
  return {
    PORT: String(port),
    ADMIN_PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    GANTRY_ADMIN_TOKEN: TOKEN,
    GANTRY_MASTER_KEY: randomBytes(32).toString('hex'),
    DEMO: '0',
    LOG_LEVEL: 'warn',
  };
}

async function prepare(base) {
  await call(base, 'POST', '/tenants', { slug: 'bench', name: 'Bench' });
  await call(base, 'PUT', '/tenants/bench/servers/bench', { name: 'Bench', tools: tools() });
  const { key } = await call(base, 'POST', '/tenants/bench/keys', { name: 'bench' });
  return { url: `${base}/mcp/bench/bench`, headers: { Authorization: `Bearer ${key}` } };
}

async function call(base, method, path, body) {
  const answer = await fetch(`${base}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Stop(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** The same 21 tools that the floor lists, all of the cheapest kind. */
function tools() {
  const schema = {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'The identifier of the record.' },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      verbose: { type: 'boolean' },
    },
    required: ['id'],
  };
  const dummies = Array.from({ length: 19 }, (_, index) => ({
    name: `tool_${String(index + 1).padStart(2, '0')}`,
    description: `Dummy tool number ${index + 1}: looks something up in the imaginary catalogue and returns it.`,
    inputSchema: schema,
    template: { text: 'Record {id}' },
  }));
  const echo = {
    name: 'echo',
    description: 'Echo a message back.',
    inputSchema: { type: 'object', properties: { msg: { type: 'string' } }, required: ['msg'] },
    template: { text: '{msg}' },
  };
  const progress = {
    name: 'progress',
    description: 'Report progress n times.',
    inputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
    template: { text: 'done' },
  };
  return [echo, progress, ...dummies];
}
