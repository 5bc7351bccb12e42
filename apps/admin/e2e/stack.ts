import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const entry = 'scripts/start.mjs';
const readyMs = 540_000;
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
  stop(): Promise<void>;
}

/** Starts everything as `npm start` does, on free ports and with a data folder of its own. */
export async function startStack(): Promise<Stack> {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-e2e-'));
  // Embedded Postgres may run as another user, who has to get in.
  chmodSync(folder, 0o755);
  const backend = createServer((request, response) => {
    const id = /^\/orders\/([^/?]+)/.exec(request.url ?? '')?.[1];
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ id, state: 'shipped', token: request.headers.authorization ? 'seen' : 'missing' }));
  });
  const backendPort = await listen(backend);
  const [port, adminPort] = [await freePort(), await freePort()];
  const consoleUrl = `http://127.0.0.1:${adminPort}`;
  const child = spawn(process.execPath, [join(root, entry)], {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      ADMIN_PORT: String(adminPort),
      ADMIN_URL: consoleUrl,
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: '',
      REDIS_URL: '',
      GANTRY_ADMIN_TOKEN: '',
      EGRESS_ALLOW: `127.0.0.1:${backendPort}`,
    },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  async function stop() {
    backend.closeAllConnections();
    backend.close();
    await end(child);
    rmSync(folder, { recursive: true, force: true });
  }
  try {
    await saysReady(child);
  } catch (error) {
    await stop();
    throw error;
  }
  const adminToken = readFileSync(join(folder, 'data/admin-token'), 'utf8').trim();
  return { consoleUrl, adminToken, backendUrl: `http://127.0.0.1:${backendPort}`, stop };
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
