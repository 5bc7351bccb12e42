import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../harness/node-process.js';
import { type Cluster, startCluster } from './cluster.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const CONSOLE = join(ROOT, 'apps/admin/.next/standalone/apps/admin');
const UP_MS = 30_000;
const END_MS = 10_000;

/** The files that browsers load from the console. */
export const BUNDLE = join(CONSOLE, '.next/static');

/** What docker-compose.yml puts together, as processes on loopback: nodes, the console, and nginx before them. */
export interface Topology {
  readonly cluster: Cluster;
  /** The one address that people and clients know, no trailing slash. */
  readonly url: string;
  stop(): Promise<void>;
}

/** A process beside the nodes. */
interface Part {
  stop(): Promise<void>;
}

export async function startTopology(egressAllow: readonly string[]): Promise<Topology> {
  const [port, internalPort, adminPort] = [await freePort(), await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const parts: Part[] = [];
  const cluster = await startCluster({
    nodes: 2,
    egressAllow,
    redis: { appendOnly: true },
    env: { PUBLIC_URL: url, ADMIN_URL: url, TRUSTED_PROXIES: '127.0.0.1', SHUTDOWN_GRACE_MS: '4000' },
    migrate,
  });
  const stop = async () => {
    await Promise.all(parts.map((part) => part.stop()));
    await cluster.stop();
  };
  try {
    const apiUrl = `http://127.0.0.1:${internalPort}`;
    parts.push(await startConsole(adminPort, { API_URL: apiUrl, ADMIN_URL: url, PUBLIC_URL: url }));
    parts.push(await startProxy({ cluster, port, internalPort, adminPort }));
  } catch (error) {
    await stop();
    throw error;
  }
  return { cluster, url, stop };
}

/** The migrate step as an image runs it. */
function migrate(databaseUrl: string): void {
  const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl };
  const done = spawnSync(process.execPath, ['docker/migrate.mjs'], { cwd: ROOT, env, encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`the migrate step failed: ${done.stdout}${done.stderr}`);
}

/** The built console, told by its environment where it is. */
export async function startConsole(port: number, env: Readonly<Record<string, string>>): Promise<Part> {
  if (!existsSync(CONSOLE)) throw new Error(`${CONSOLE} is missing: run "npm run build" first`);
  const log = openLog();
  const child = spawn(process.execPath, ['server.js'], {
    cwd: CONSOLE,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', HOSTNAME: '127.0.0.1', PORT: String(port), ...env },
    stdio: ['ignore', log.fd, log.fd],
  });
  return part(child, `http://127.0.0.1:${port}/icon.svg`, log);
}

interface ProxyPlaces {
  readonly cluster: Cluster;
  readonly port: number;
  readonly internalPort: number;
  readonly adminPort: number;
}

/** nginx with the shipped configuration, filled in by the shipped script. */
async function startProxy({ cluster, port, internalPort, adminPort }: ProxyPlaces): Promise<Part> {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-proxy-'));
  const servers = cluster.nodes.map((node) => `server 127.0.0.1:${node.port} fail_timeout=2s;`);
  const log = openLog();
  const child = spawn('/bin/sh', [join(ROOT, 'deploy/nginx/start.sh')], {
    env: {
      PATH: `${process.env.PATH}:/usr/sbin:/sbin`,
      ...(process.env.NGINX_PATH && { NGINX_PATH: process.env.NGINX_PATH }),
      API_SERVERS: servers.join(' '),
      ADMIN_SERVERS: `server 127.0.0.1:${adminPort};`,
      PROXY_LISTEN: `127.0.0.1:${port}`,
      PROXY_API_LISTEN: `127.0.0.1:${internalPort}`,
      PROXY_DIR: folder,
    },
    stdio: ['ignore', log.fd, log.fd],
  });
  const { stop } = await part(child, `http://127.0.0.1:${port}/healthz`, log);
  return { stop: () => stop().finally(() => rmSync(folder, { recursive: true, force: true })) };
}

/** What a process writes, in a file: nginx opens its output by name, which a pipe of Node's does not allow. */
function openLog() {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-part-'));
  const path = join(folder, 'log');
  const fd = openSync(path, 'a');
  return {
    fd,
    text: () => readFileSync(path, 'utf8').slice(-8_000),
    close() {
      closeSync(fd);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until something answers at `url`. */
async function part(child: ChildProcess, url: string, log: ReturnType<typeof openLog>): Promise<Part> {
  const ended = () => child.exitCode !== null || child.signalCode !== null;
  const end = Date.now() + UP_MS;
  const stop = async () => {
    if (!ended()) {
      const gone = once(child, 'exit');
      const cut = setTimeout(() => child.kill('SIGKILL'), END_MS);
      child.kill('SIGTERM');
      await gone;
      clearTimeout(cut);
    }
    log.close();
  };
  while (!(await isUp(url))) {
    if (ended() || Date.now() > end) {
      const said = log.text();
      await stop();
      throw new Error(`nothing answers at ${url}: ${said}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { stop };
}

async function isUp(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(5_000) })).ok;
  } catch {
    return false;
  }
}
