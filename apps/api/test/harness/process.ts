import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { createDatabase, databaseUrl, dropDatabase } from './database.js';

const ENTRY = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
export const ADMIN_TOKEN = 'wire-admin-token-0123456789';
const READY_MS = 30_000;
/** The contract's 10 s for a stop, and a little for a busy machine. */
const STOP_MS = 12_000;

export interface AdminAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers of any shape are looked into
  readonly body: any;
}

export interface NewKey {
  readonly id: string;
  readonly key: string;
}

/** The real API process with a database of its own, asked over sockets. */
export interface GantryProcess {
  /** Base of every URL, no trailing slash. */
  readonly url: string;
  readonly pid: number;
  /** Calls the management API with the admin token; `path` goes below `/api/v1`. */
  admin(method: string, path: string, body?: unknown): Promise<AdminAnswer>;
  /** Creates a tenant, with limits if given. */
  tenant(slug: string, limits?: object): Promise<void>;
  /** Publishes a server document. Throws with the answer unless it was taken. */
  server(tenant: string, slug: string, document: object): Promise<AdminAnswer>;
  /** Creates a key. */
  key(tenant: string, more?: { scopes?: string[]; servers?: string[]; expiresAt?: string }): Promise<NewKey>;
  mcpUrl(tenant: string, server: string): string;
  /** Resident memory of the process, in bytes. */
  residentBytes(): number;
  /** What it has written so far: logs as JSON lines, faults as text. */
  output(): string;
  /** Asks it to stop. Throws unless it ends by itself with status 0. */
  stop(): Promise<void>;
}

export interface ProcessOptions {
  /** host:port or CIDR entries that tools may reach although private. */
  readonly egressAllow?: readonly string[];
  /** More of the environment. */
  readonly env?: Readonly<Record<string, string>>;
}

export async function startGantry({ egressAllow = [], env = {} }: ProcessOptions = {}): Promise<GantryProcess> {
  if (!existsSync(ENTRY)) throw new Error(`${ENTRY} is missing: run "npm run build" first`);
  const [database, port] = await Promise.all([createDatabase({ migrated: true }), freePort()]);
  const child = fork(ENTRY, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATABASE_URL: databaseUrl(database),
      GANTRY_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      GANTRY_ADMIN_TOKEN: ADMIN_TOKEN,
      EGRESS_ALLOW: egressAllow.join(','),
      LOG_LEVEL: 'warn',
      ...env,
    },
  });
  const output = collect(child);
  try {
    await ready(child, output);
  } catch (error) {
    child.kill('SIGKILL');
    await dropDatabase(database);
    throw error;
  }
  return running(child, `http://127.0.0.1:${port}`, database, output);
}

function running(child: ChildProcess, url: string, database: string, output: () => string): GantryProcess {
  const { pid = 0 } = child;
  const admin: GantryProcess['admin'] = async (method, path, body) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${ADMIN_TOKEN}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(15_000),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  };
  const must = async (method: string, path: string, body: unknown): Promise<AdminAnswer> => {
    const answer = await admin(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  };
  return {
    url,
    pid,
    admin,
    async tenant(slug, limits) {
      await must('POST', '/tenants', { slug, name: slug });
      if (limits !== undefined) await must('PATCH', `/tenants/${slug}`, { limits });
    },
    server: (tenant, slug, document) => must('PUT', `/tenants/${tenant}/servers/${slug}`, document),
    key: async (tenant, more = {}) =>
      (await must('POST', `/tenants/${tenant}/keys`, { name: 'wire', ...more })).body as NewKey,
    mcpUrl: (tenant, server) => `${url}/mcp/${tenant}/${server}`,
    residentBytes: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024,
    output,
    async stop() {
      try {
        await stopChild(child, output);
      } finally {
        await dropDatabase(database);
      }
    },
  };
}

/** Gives the test file that calls it a process of its own. Its members are there from the first hook on. */
export function useGantry(options: () => ProcessOptions | Promise<ProcessOptions> = () => ({})): GantryProcess {
  let started: GantryProcess | undefined;
  beforeAll(async () => {
    started = await startGantry(await options());
  }, READY_MS + 10_000);
  afterAll(() => started?.stop(), STOP_MS + 10_000);
  return new Proxy({} as GantryProcess, {
    get(_target, member) {
      if (started === undefined) throw new Error('the process is started by beforeAll: use it in a test or a hook');
      return started[member as keyof GantryProcess];
    },
  });
}

function collect(child: ChildProcess): () => string {
  const parts: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      parts.push(text);
      while (parts.length > 2_000) parts.shift();
    });
  }
  return () => parts.join('');
}

function ready(child: ChildProcess, output: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`not ready after ${READY_MS} ms: ${output()}`)), READY_MS);
    child.once('message', (message) => {
      clearTimeout(late);
      if ((message as { type?: string }).type === 'ready') resolve();
      else reject(new Error(`an unexpected message: ${JSON.stringify(message)}`));
    });
    child.once('exit', (code, signal) => {
      clearTimeout(late);
      reject(new Error(`it ended before it was ready (${signal ?? code}): ${output()}`));
    });
  });
}

async function stopChild(child: ChildProcess, output: () => string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'exit');
    const cut = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    child.kill('SIGTERM');
    await gone;
    clearTimeout(cut);
  }
  if (child.exitCode !== 0) throw new Error(`it ended with ${child.signalCode ?? child.exitCode}: ${output()}`);
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
