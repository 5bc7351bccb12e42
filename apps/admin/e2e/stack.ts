import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startTemporaryPostgres } from '../../../scripts/lib/postgres.mjs';
import { startTemporaryRedis } from '../../../scripts/lib/redis.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const entry = 'scripts/start.mjs';
const nodeEntry = 'apps/api/dist/main.js';
const readyMs = 540_000;
const nodeReadyMs = 30_000;
const endMs = 15_000;

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export interface Stack {
  consoleUrl: string;
  adminToken: string;
  /** Base URL of a little order service that the tools of a test may call. */
  backendUrl: string;
  /** Base URLs of the API's nodes; the console asks the first. */
  nodeUrls: string[];
  stop(): Promise<void>;
}

/** What several nodes share; one node alone brings its own. */
interface Shared {
  env: Record<string, string>;
  adminToken: string;
  stop(): Promise<void>;
}

async function startShared(): Promise<Shared> {
  const [postgres, redis] = await Promise.all([startTemporaryPostgres(), startTemporaryRedis()]);
  const adminToken = `gta_${randomBytes(32).toString('base64url')}`;
  return {
    adminToken,
    env: {
      DATABASE_URL: postgres.url('postgres'),
      REDIS_URL: redis.url,
      GANTRY_MASTER_KEY: randomBytes(32).toString('base64'),
      GANTRY_ADMIN_TOKEN: adminToken,
    },
    stop: async () => void (await Promise.all([postgres.stop(), redis.stop()])),
  };
}

/**
 * Starts everything as `npm start` does, on free ports and with a data folder of its own. With more than one node these
 * share a Postgres and a Redis; clients choose a node by its address.
 */
export async function startStack({ nodes = 1 } = {}): Promise<Stack> {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-e2e-'));
  // Embedded Postgres may run as another user, who has to get in.
  chmodSync(folder, 0o755);
  const shared = nodes > 1 ? await startShared() : undefined;
  const backend = createServer((request, response) => {
    const id = /^\/orders\/([^/?]+)/.exec(request.url ?? '')?.[1];
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ id, state: 'shipped', token: request.headers.authorization ? 'seen' : 'missing' }));
  });
  const backendPort = await listen(backend);
  const [port, adminPort] = [await freePort(), await freePort()];
  const consoleUrl = `http://127.0.0.1:${adminPort}`;
  const env = {
    ...process.env,
    NODE_ENV: 'production' as const,
    HOST: '127.0.0.1',
    ADMIN_URL: consoleUrl,
    EGRESS_ALLOW: `127.0.0.1:${backendPort}`,
    ...(shared?.env ?? { DATABASE_URL: '', REDIS_URL: '', GANTRY_ADMIN_TOKEN: '' }),
  };
  const children: ChildProcess[] = [];
  const start = (program: string, more: Record<string, string>) => {
    const child = spawn(process.execPath, [join(root, program)], {
      cwd: root,
      env: { ...env, ...more },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', ...(program === nodeEntry ? (['ipc'] as const) : [])],
    });
    children.push(child);
    return child;
  };
  async function stop() {
    backend.closeAllConnections();
    backend.close();
    await Promise.all(children.map(end));
    await shared?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  const nodeUrls = [`http://127.0.0.1:${port}`];
  try {
    const first = { PORT: String(port), ADMIN_PORT: String(adminPort), DATA_DIR: join(folder, 'data') };
    await saysReady(start(entry, first));
    while (nodeUrls.length < nodes) {
      const own = await freePort();
      await reportsReady(start(nodeEntry, { PORT: String(own), PUBLIC_URL: nodeUrls[0]! }));
      nodeUrls.push(`http://127.0.0.1:${own}`);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  const adminToken = shared?.adminToken ?? readFileSync(join(folder, 'data/admin-token'), 'utf8').trim();
  return { consoleUrl, adminToken, backendUrl: `http://127.0.0.1:${backendPort}`, nodeUrls, stop };
}

/** Waits for the word that a node sends to whoever started it. */
function reportsReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        output = (output + chunk).slice(-20_000);
      });
    }
    const timer = setTimeout(() => reject(new Error(`the node did not become ready:\n${output}`)), nodeReadyMs);
    const settle = (then: () => void) => {
      clearTimeout(timer);
      child.off('exit', gone);
      then();
    };
    const gone = (code: number | null) => settle(() => reject(new Error(`the node ended with ${code}:\n${output}`)));
    child.once('exit', gone);
    child.once('message', () => settle(resolve));
  });
}

function saysReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => reject(new Error(`the stack did not become ready:\n${output}`)), readyMs);
    const hear = (chunk: Buffer) => {
      output = (output + chunk).slice(-20_000);
      if (!output.includes('Gantry is ready')) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`the stack ended with ${code}:\n${output}`));
    });
  });
}

/** Ends the whole process group, by force if it does not go. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  process.kill(-child.pid, 'SIGTERM');
  const timer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), endMs);
  await ended;
  clearTimeout(timer);
}
