import type { FrameStream, HttpResponder } from '../transports/http-exchange.js';
import type { FrameWatch } from './frame-watch.js';
import type { Json } from './json.js';

/** One parsed frame of an event stream. */
export interface Frame {
  readonly event?: string;
  readonly id?: string;
  readonly data?: string;
  readonly retry?: number;
  readonly comment?: string;
}

/** An HTTP answer without a socket: remembers what was said, and wakes whoever waits for it. */
export class RecordingResponder implements HttpResponder {
  status: number | undefined;
  headers: Readonly<Record<string, string>> = {};
  body: string | undefined;
  readonly frames: Frame[] = [];
  streaming = false;
  /** The answer is complete, or the connection closed. */
  done = false;
  /** The connection was closed without regard to what was queued. */
  cut = false;
  /** What the stream claims to have queued; set it to play a slow reader. */
  queuedBytes = 0;
  #disconnect: Array<() => void> = [];
  #waiting: Array<{ ready: () => boolean; resolve: () => void }> = [];

  /** @param watch judges every message of the answer */
  constructor(private readonly watch?: FrameWatch) {}

  json(status: number, body: string, headers: Readonly<Record<string, string>> = {}): void {
    this.#begin(status, headers);
    this.body = body;
    this.watch?.see(JSON.parse(body), headers['mcp-session-id']);
    this.#end();
  }

  empty(status: number, headers: Readonly<Record<string, string>> = {}): void {
    this.#begin(status, headers);
    this.#end();
  }

  stream(headers: Readonly<Record<string, string>> = {}): FrameStream {
    this.#begin(200, headers);
    this.streaming = true;
    this.#wake();
    const responder = this;
    return {
      write: (text) => {
        if (this.done) throw new Error('written after the end');
        const frames = parseFrames(text);
        this.frames.push(...frames);
        for (const { data, event } of frames) {
          if (event === 'endpoint') this.watch?.seeEndpoint(data ?? '');
          else if (data) this.watch?.see(JSON.parse(data), headers['mcp-session-id']);
        }
        this.#wake();
        return true;
      },
      get queuedBytes() {
        return responder.queuedBytes;
      },
      end: () => this.#end(),
      cut: () => {
        this.cut = true;
      },
    };
  }

  onDisconnect(fn: () => void): void {
    this.#disconnect.push(fn);
  }

  /** The client goes away. */
  disconnect(): void {
    if (this.done) return;
    this.#end();
    for (const fn of this.#disconnect) fn();
  }

  /** The JSON body, or undefined for an empty one. */
  get message(): Json {
    return this.body === undefined ? undefined : JSON.parse(this.body);
  }

  /** The messages of the stream so far; events without data, and the one that names an endpoint, left out. */
  get messages(): Json[] {
    return this.frames.flatMap(({ data, event }) => (data && event !== 'endpoint' ? [JSON.parse(data)] : []));
  }

  /** The one response, wherever it came. */
  get response(): Json {
    return this.message ?? this.messages.find((message) => 'result' in message || 'error' in message);
  }

  /** Resolves when the answer is complete. */
  finished(): Promise<this> {
    return this.until(() => this.done);
  }

  /** Resolves when something about the answer is true. */
  async until(ready: () => boolean): Promise<this> {
    if (!ready()) await new Promise<void>((resolve) => this.#waiting.push({ ready, resolve }));
    return this;
  }

  #begin(status: number, headers: Readonly<Record<string, string>>): void {
    if (this.status !== undefined) throw new Error('answered twice');
    this.status = status;
    this.headers = headers;
  }

  #end(): void {
    this.done = true;
    this.#wake();
  }

  #wake(): void {
    const ready = this.#waiting.filter((waiter) => waiter.ready());
    this.#waiting = this.#waiting.filter((waiter) => !ready.includes(waiter));
    for (const { resolve } of ready) resolve();
  }
}

/** The frames of a piece of an event stream that holds whole ones. */
export function parseFrames(text: string): Frame[] {
  return text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const frame: { event?: string; id?: string; data?: string; retry?: number; comment?: string } = {};
      for (const line of block.split('\n')) {
        const colon = line.indexOf(':');
        const value = line.slice(colon + 1).replace(/^ /, '');
        const field = line.slice(0, colon);
        if (field === '') frame.comment = value;
        else if (field === 'retry') frame.retry = Number(value);
        else if (field === 'event') frame.event = value;
        else if (field === 'id') frame.id = value;
        else if (field === 'data') frame.data = frame.data === undefined ? value : `${frame.data}\n${value}`;
        else throw new Error(`unexpected field in a frame: ${line}`);
      }
      return frame;
    });
}
