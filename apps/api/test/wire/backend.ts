import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Arrivals, within } from './deadline.js';

/** One request that reached the backend. */
export interface Seen {
  readonly method: string;
  /** Path and query, as received. */
  readonly target: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Resolves when the caller has gone before the answer. */
  readonly aborted: Promise<void>;
  /** Answers a request on `/held…`. */
  answer(body: unknown): void;
}

/** A backend of tools, inside the test's own process, so that a test can wait for what it sees. */
export class Backend {
  readonly seen = new Arrivals<Seen>();
  private readonly server = createServer((request, response) => void this.serve(request, response));

  async start(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await new Promise((resolve) => this.server.once('listening', resolve));
    return this;
  }

  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `http://${this.host}`;
  }

  /** The first request whose target starts so. */
  arrived(prefix: string, ms?: number): Promise<Seen> {
    return this.seen.first(`a request on ${prefix}`, ({ target }) => target.startsWith(prefix), { ms });
  }

  count(prefix: string): number {
    return this.seen.all.filter(({ target }) => target.startsWith(prefix)).length;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    for await (const part of request) parts.push(part as Buffer);
    const target = request.url ?? '';
    const json = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    const body = Buffer.concat(parts).toString('utf8');
    const aborted = new Promise<void>((resolve) => {
      response.once('close', () => response.writableFinished || resolve());
    });
    const { method = '', headers } = request;
    this.seen.add({ method, target, headers, body, aborted, answer: (value) => json(200, value) });
    if (target.startsWith('/held')) return;
    if (target.startsWith('/reset')) return void request.socket.destroy();
    if (target.startsWith('/status/')) return json(Number(target.split('/')[2]), { title: 'the backend says no' });
    if (target.startsWith('/huge')) return pour(response);
    json(200, { method, target, body, n: this.count(target) });
  }
}

/** The caller of a held request has gone. */
export function seenAborted(seen: Seen, ms = 2_000): Promise<void> {
  return within(`the backend sees ${seen.target} aborted`, seen.aborted, ms);
}

const HUGE_BYTES = 5_000_000_000;

/** As much of 5 GB as is taken. */
function pour(response: ServerResponse): void {
  const block = Buffer.alloc(65_536, 'x');
  let left = HUGE_BYTES;
  response.writeHead(200, { 'content-type': 'text/plain' });
  const more = () => {
    while (left > 0 && !response.destroyed) {
      left -= block.length;
      if (!response.write(block)) return;
    }
    response.end();
  };
  response.on('drain', more);
  more();
}
