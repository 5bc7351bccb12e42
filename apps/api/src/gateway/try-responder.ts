import type { FrameStream, HttpResponder } from '@gantry/mcp-core';

export interface TryEvents {
  progress(event: { progress: number; total?: number; message?: string }): void;
  log(event: { level: string; data: unknown; logger?: string }): void;
  /** The last one: the JSON-RPC response, with the HTTP status it would have had. */
  answered(status: number, response: JsonRpcAnswer | undefined): void;
}

/** Where events go: how far behind its reader is, and how to let go of one that does not read. */
export interface TryOutlet {
  /** Bytes taken and not yet handed to the network. */
  readonly queuedBytes: number;
  cut(): void;
}

export interface JsonRpcAnswer {
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

interface Frame extends JsonRpcAnswer {
  readonly method?: string;
  readonly params?: Record<string, unknown>;
}

/**
 * Plays the client of one MCP exchange inside the process, and tells what a person watching it wants to see. A try is
 * therefore served by exactly the code that serves a client.
 */
export class TryResponder implements HttpResponder {
  private gone: (() => void) | undefined;
  private done = false;

  /** @param outlet of events that leave the process one by one; without it they cost nothing to keep */
  constructor(
    private readonly events: TryEvents,
    private readonly outlet?: TryOutlet,
  ) {}

  json(status: number, body: string): void {
    this.finish(status, JSON.parse(body) as JsonRpcAnswer);
  }

  empty(status: number): void {
    this.finish(status, undefined);
  }

  stream(): FrameStream {
    const { outlet } = this;
    return {
      write: (frame) => this.frame(frame),
      get queuedBytes() {
        return outlet?.queuedBytes ?? 0;
      },
      end: () => this.finish(200, undefined),
      cut: () => outlet?.cut(),
    };
  }

  onDisconnect(fn: () => void): void {
    this.gone = fn;
  }

  /** The person has left or pressed Cancel: to the engine, the client's connection is gone. */
  disconnect(): void {
    if (this.done) return;
    this.done = true;
    this.gone?.();
  }

  private frame(text: string): boolean {
    if (this.done) return false;
    const data = text
      .split('\n')
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(5).trimStart())
      .join('\n');
    if (data === '') return true;
    const frame = JSON.parse(data) as Frame;
    if (frame.method === 'notifications/progress') this.events.progress(frame.params as never);
    else if (frame.method === 'notifications/message') this.events.log(frame.params as never);
    else if (frame.method === undefined) this.finish(200, frame);
    return true;
  }

  private finish(status: number, answer: JsonRpcAnswer | undefined): void {
    if (this.done) return;
    this.done = true;
    this.events.answered(status, answer);
  }
}
