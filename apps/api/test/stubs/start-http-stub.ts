import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface HttpStub {
  /** `http://127.0.0.1:port`, no trailing slash. */
  readonly url: string;
  /** `127.0.0.1:port`. */
  readonly host: string;
  /** Requests seen since the last reset, oldest first. */
  log(): Promise<StubRequest[]>;
  /** What `/charge` and `/charge-then-drop` booked since the last reset. */
  charges(): Promise<unknown[]>;
  reset(): Promise<void>;
  stop(): Promise<void>;
}

export interface StubRequest {
  method: string;
  target: string;
  /** Names and values in turn, as received. */
  headers: string[];
  aborted: boolean;
  /** Base64. */
  body?: string;
}

/** Starts `stub-http.mjs` on a free port of the loopback interface. */
export async function startHttpStub(): Promise<HttpStub> {
  const script = fileURLToPath(new URL('./stub-http.mjs', import.meta.url));
  const child = spawn(process.execPath, [script], { env: { PORT: '0' }, stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const host = line.split(' ').at(-1) as string;
  const url = `http://${host}`;
  const read = async () => (await (await fetch(`${url}/log`)).json()) as { log: StubRequest[]; charges: unknown[] };
  return {
    url,
    host,
    log: async () => (await read()).log,
    charges: async () => (await read()).charges,
    reset: async () => {
      await (await fetch(`${url}/log`, { method: 'DELETE' })).arrayBuffer();
    },
    stop: async () => {
      const gone = once(child, 'exit');
      child.kill();
      await gone;
    },
  };
}

/** A header of a stub request, by name in any case. */
export function stubHeader(request: StubRequest | undefined, name: string): string | undefined {
  const at = request?.headers.findIndex((text, i) => i % 2 === 0 && text.toLowerCase() === name.toLowerCase()) ?? -1;
  return at < 0 ? undefined : request?.headers[at + 1];
}
