import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FrameStream, HttpRequest, HttpResponder } from '@gantry/mcp-core';

type Headers = Readonly<Record<string, string>>;

/** Why a body could not be taken whole. */
export type BodyFault = 'too_large' | 'aborted';

/**
 * Reads a request body of at most `limit` bytes. A declared length over the limit is refused before a byte is
 * read, an undeclared one as soon as it is passed, so memory stays bounded either way.
 */
export function readBody(
  request: IncomingMessage,
  limit: number,
  done: (fault: BodyFault | undefined, body?: Buffer) => void,
): void {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limit) return done('too_large');
  let first: Buffer | undefined;
  let chunks: Buffer[] | undefined;
  let size = 0;
  let open = true;
  const finish = (fault: BodyFault | undefined, body?: Buffer) => {
    if (!open) return;
    open = false;
    done(fault, body);
  };
  request.on('data', (chunk: Buffer) => {
    if (!open) return;
    size += chunk.length;
    if (size > limit) return finish('too_large');
    if (first === undefined) first = chunk;
    else (chunks ??= [first]).push(chunk);
  });
  request.on('end', () => finish(undefined, chunks === undefined ? first : Buffer.concat(chunks, size)));
  request.on('error', () => finish('aborted'));
  request.on('close', () => finish('aborted'));
}

const DISCARD_BYTES_MAX = 64 * 1024 * 1024;
const DISCARD_MS = 10_000;

/**
 * Lets a client finish sending what was refused already, within bounds: most read no answer before they have sent all,
 * and a connection closed under them loses it. `done` is called when nothing more is read.
 */
export function discardRest(request: IncomingMessage, done: () => void): void {
  let left = DISCARD_BYTES_MAX;
  const cut = setTimeout(() => request.destroy(), DISCARD_MS);
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.destroy();
  });
  request.on('error', () => undefined);
  request.once('close', () => clearTimeout(cut));
  request.once('end', done);
}

/** What one answer adds to the headers the engine asks for: CORS grants, request id. */
export type ExtraHeaders = Headers | undefined;

const STREAM_HEADERS: Headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** Node's response as mcp-core wants to see it: one write per JSON answer, frames flushed at once on streams. */
export class NodeResponder implements HttpResponder {
  private onGone: (() => void) | undefined;
  private answered = false;

  constructor(
    private readonly response: ServerResponse,
    private readonly extra: ExtraHeaders,
  ) {}

  json(status: number, body: string, headers?: Headers): void {
    this.answered = true;
    this.response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...this.extra,
      ...headers,
    });
    this.response.end(body);
  }

  empty(status: number, headers?: Headers): void {
    this.answered = true;
    this.response.writeHead(status, { 'content-length': 0, ...this.extra, ...headers });
    this.response.end();
  }

  stream(headers?: Headers): FrameStream {
    const { response } = this;
    response.writeHead(200, { ...STREAM_HEADERS, ...this.extra, ...headers });
    response.flushHeaders();
    return {
      // After its end a write would be an error that nobody listens for.
      write: (frame) => (response.destroyed || response.writableEnded ? false : response.write(frame)),
      get queuedBytes() {
        return response.writableLength;
      },
      end: () => {
        this.answered = true;
        response.end();
      },
      cut: () => void response.destroy(),
    };
  }

  onDisconnect(fn: () => void): void {
    if (this.onGone === undefined) {
      this.response.once('close', () => {
        if (!this.answered || !this.response.writableFinished) this.onGone?.();
      });
    }
    this.onGone = fn;
  }
}

/** The request as mcp-core wants to see it. */
export function toHttpRequest(request: IncomingMessage, body: Buffer | undefined): HttpRequest {
  return { method: request.method ?? 'GET', headers: distinctHeaders(request), body };
}

/**
 * Node joins repeated headers with a comma, which would let two contradicting protocol headers pass as one value.
 * Repeats are rare, so the raw list is only consulted when a value could be a joined one.
 */
function distinctHeaders(request: IncomingMessage): HttpRequest['headers'] {
  const { headers } = request;
  let distinct: Record<string, string | string[] | undefined> | undefined;
  for (const name in headers) {
    if (!name.startsWith('mcp-')) continue;
    if (!headers[name]?.includes(',')) continue;
    const values = request.headersDistinct[name];
    if (values !== undefined && values.length > 1) (distinct ??= { ...headers })[name] = values;
  }
  return distinct ?? headers;
}
