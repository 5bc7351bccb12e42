import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { ADMIN_TOKEN } from './management.js';

const ENTRY = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
export const READY_MS = 60_000;
/** The contract's 10 s for a stop, and a little for a busy machine. */
export const STOP_MS = 12_000;

/** One forked `dist/main.js` that serves. */
export interface NodeProcess {
  /** Base of every URL, no trailing slash. */
  readonly url: string;
  readonly pid: number;
  /** True until the process has ended, however that came. */
  readonly alive: boolean;
  /** What it has written so far: logs as JSON lines, faults as text. */
  output(): string;
  /** Resident memory of the process, in bytes. */
  residentBytes(): number;
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  /** Ends it without a goodbye, and waits until it is gone. */
  kill(): Promise<void>;
  /** Asks it to stop. Throws unless it ends by itself with status 0. */
  stop(): Promise<void>;
}

export interface NodeSettings {
  readonly port: number;
  readonly databaseUrl: string;
  /** More of the environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the built API with nothing of this process's environment, and waits until it serves. */
export async function startNode({ port, databaseUrl, env = {} }: NodeSettings): Promise<NodeProcess> {
  if (!existsSync(ENTRY)) throw new Error(`${ENTRY} is missing: run "npm run build" first`);
  const child = fork(ENTRY, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      GANTRY_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      GANTRY_ADMIN_TOKEN: ADMIN_TOKEN,
      LOG_LEVEL: 'warn',
      ...env,
    },
  });
  const output = collect(child);
  try {
    await ready(child, output);
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  return running(child, `http://127.0.0.1:${port}`, output);
}

function running(child: ChildProcess, url: string, output: () => string): NodeProcess {
  const { pid = 0 } = child;
  const alive = () => child.exitCode === null && child.signalCode === null;
  return {
    url,
    pid,
    get alive() {
      return alive();
    },
    output,
    residentBytes: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024,
    signal: (name) => void child.kill(name),
    async kill() {
      if (!alive()) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
    stop: () => stopChild(child, output),
  };
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

/** A loopback port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
