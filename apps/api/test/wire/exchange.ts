import { request as httpRequest, type IncomingMessage } from 'node:http';
import { expectSoundFrames, FrameWatch } from '@gantry/mcp-core/testing';
import { afterEach, expect } from 'vitest';
import { Arrivals, within } from './deadline.js';

// Of every test file that asks an MCP endpoint: each message must be one that its revision allows.
afterEach(expectSoundFrames);

/** A JSON-RPC message of any shape. */
// biome-ignore lint/suspicious/noExplicitAny: messages of any shape are looked into
export type Message = any;

export interface Ask {
  readonly method?: string;
  /** Repeated headers are arrays; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
  readonly body?: string | Buffer;
  /** Sends the body in pieces without a Content-Length. */
  readonly chunked?: boolean;
  /** How long to wait for the head of the answer. */
  readonly waitMs?: number;
}

/** One event of a stream, or one comment. */
export interface Frame {
  readonly id?: string;
  /** Streams of the management API and of HTTP+SSE name their events. */
  readonly event?: string;
  readonly retry?: number;
  readonly comment?: string;
  readonly data?: string;
  readonly message?: Message;
}

/** An answer whose head is there. Its body is read as it comes. */
export class Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly frames = new Arrivals<Frame>();
  /** The whole text, once the body has ended; rejects when the connection broke first. */
  readonly text: Promise<string>;
  /** Resolves when the connection is closed or the body complete, however that came. */
  readonly over: Promise<void>;
  #received = '';
  #parsed = 0;

  constructor(
    private readonly response: IncomingMessage,
    private readonly watch?: FrameWatch,
  ) {
    this.status = response.statusCode ?? 0;
    this.headers = response.headers;
    response.setEncoding('utf8');
    response.on('data', (text: string) => this.#take(text));
    this.over = new Promise((resolve) => response.once('close', resolve));
    this.text = new Promise((resolve, reject) => {
      response.once('end', () => {
        if (!this.streaming) this.#judge(this.#received);
        resolve(this.#received);
      });
      response.once('error', reject);
    });
    this.text.catch(() => undefined);
  }

  get streaming(): boolean {
    return this.headers['content-type'] === 'text/event-stream';
  }

  /** JSON-RPC messages of the stream so far, in order. */
  get messages(): Message[] {
    return this.frames.all.flatMap(({ message }) => (message === undefined ? [] : [message]));
  }

  /** Waits for a message of this method on the stream. */
  async notified(method: string, fits: (params: Message) => boolean = () => true): Promise<Frame> {
    return this.frames.first(
      `${method} on the stream`,
      ({ message }) => message?.method === method && fits(message.params),
    );
  }

  /** The response, from the JSON body or from the stream. */
  async result(): Promise<Message> {
    if (!this.streaming) return JSON.parse(await this.body());
    await this.ended();
    return this.messages.findLast((message) => message.id !== undefined && message.method === undefined);
  }

  /** The complete body. */
  body(): Promise<string> {
    return within('the end of the body', this.text);
  }

  /** Waits until nothing more can come. */
  ended(ms?: number): Promise<void> {
    return within('the end of the stream', this.over, ms);
  }

  /** Breaks the connection, as a client that is gone. */
  destroy(): void {
    this.response.destroy();
  }

  #judge(json: string): void {
    if (json !== '') this.watch?.see(JSON.parse(json), this.headers['mcp-session-id'] as string | undefined);
  }

  #take(text: string): void {
    this.#received += text;
    if (!this.streaming) return;
    for (;;) {
      const end = this.#received.indexOf('\n\n', this.#parsed);
      if (end < 0) return;
      const frame = parseFrame(this.#received.slice(this.#parsed, end));
      if (frame.event === 'endpoint') this.watch?.seeEndpoint(frame.data ?? '');
      else if (frame.data && frame.message !== undefined) this.#judge(frame.data);
      this.frames.add(frame);
      this.#parsed = end + 2;
    }
  }
}

/** Judges what comes from an MCP endpoint; what comes from elsewhere is nobody's frame. */
function watchOf(url: string, { headers = {}, body }: Ask): FrameWatch | undefined {
  if (!new URL(url).pathname.startsWith('/mcp/')) return undefined;
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return new FrameWatch({ headers: Object.fromEntries(named), body: body?.toString(), url });
}

function parseFrame(text: string): Frame {
  const frame: { id?: string; event?: string; retry?: number; comment?: string; data?: string; message?: Message } = {};
  for (const line of text.split('\n')) {
    if (line.startsWith(':')) frame.comment = line.slice(1).trim();
    else if (line.startsWith('id:')) frame.id = line.slice(3).trim();
    else if (line.startsWith('event:')) frame.event = line.slice(6).trim();
    else if (line.startsWith('retry:')) frame.retry = Number(line.slice(6));
    else if (line.startsWith('data:')) frame.data = (frame.data ?? '') + line.slice(5).trim();
    else throw new Error(`no field of an event stream: ${JSON.stringify(line)}`);
  }
  // The first event of HTTP+SSE holds an address.
  if (frame.data && frame.event !== 'endpoint') frame.message = JSON.parse(frame.data);
  return frame;
}

/** A request on its way. */
export interface Sent {
  /** Resolves with the head of the answer; rejects when the connection breaks before. */
  readonly answer: Promise<Answer>;
  /** Breaks the connection. */
  destroy(): void;
}

/** Sends a request on a connection of its own. */
export function send(url: string, what: Ask = {}): Sent {
  const { method = 'POST', headers = {}, body, chunked = false, waitMs } = what;
  const watch = watchOf(url, what);
  const given = Object.entries(headers).filter(([, value]) => value !== undefined) as [string, string | string[]][];
  const request = httpRequest(url, { method, agent: false, headers: Object.fromEntries(given) });
  const answer = new Promise<Answer>((resolve, reject) => {
    request.once('response', (response) => resolve(new Answer(response, watch)));
    request.on('error', reject);
  });
  const inTime = within(`an answer to ${method} ${url}`, answer, waitMs);
  // A test that breaks the connection does not wait for the answer.
  inTime.catch(() => undefined);
  if (body === undefined) request.end();
  else if (chunked) writeInPieces(request, Buffer.from(body));
  else request.setHeader('content-length', Buffer.byteLength(body)).end(body);
  return { answer: inTime, destroy: () => void request.destroy() };
}

function writeInPieces(request: ReturnType<typeof httpRequest>, body: Buffer): void {
  const pieces = Array.from({ length: Math.ceil(body.length / 65_536) }, (_, i) =>
    body.subarray(i * 65_536, (i + 1) * 65_536),
  );
  const next = () => {
    for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
      if (!request.write(piece)) return void request.once('drain', next);
    }
    request.end();
  };
  next();
}

/** Sends a request and holds every answer to the contract: what is not 2xx is empty or a JSON-RPC error. */
export async function ask(url: string, what: Ask = {}): Promise<Answer> {
  const answer = await send(url, what).answer;
  if (answer.status < 200 || answer.status > 299) await expectRefusal(answer);
  return answer;
}

/** An answer on an MCP endpoint that is not 2xx: an empty body, or `application/json` with a JSON-RPC error. */
export async function expectRefusal(answer: Answer): Promise<void> {
  const text = await answer.body();
  if (text === '') return;
  expect(answer.headers['content-type']).toMatch(/^application\/json\b/);
  const { jsonrpc, error, ...rest } = JSON.parse(text);
  expect(jsonrpc).toBe('2.0');
  expect(error).toMatchObject({ code: expect.any(Number), message: expect.any(String) });
  expect(text).not.toMatch(/\bat [^"]*\.js:\d+/);
  expect(Object.keys(rest).filter((name) => name !== 'id')).toEqual([]);
}

/** Status and JSON-RPC error code, for tables of expectations. */
export async function refusal(answer: Answer): Promise<[number, number | undefined]> {
  const text = await answer.body();
  return [answer.status, text === '' ? undefined : JSON.parse(text).error?.code];
}
