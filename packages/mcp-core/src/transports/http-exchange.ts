/**
 * The framework-neutral edge of the HTTP transports: a request in, one JSON answer or one stream of frames out.
 * A host adapts its web framework to these two interfaces and nothing else.
 */
export interface HttpRequest {
  /** Upper case. */
  readonly method: string;
  /** Lower-case names; a repeated header arrives as an array. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The whole body, already bounded by the host; undefined when there was none. */
  readonly body?: Uint8Array;
}

/** An open answer of `text/event-stream`. */
export interface FrameStream {
  /** Writes one whole SSE frame or comment. False asks the writer to let the socket drain; the frame is taken all the same. */
  write(frame: string): boolean;
  /** Bytes taken and not yet handed to the network. */
  readonly queuedBytes: number;
  /** Closes the connection after what was written. */
  end(): void;
  /** Closes the connection at once, whatever is queued. Without it a reader that never reads keeps connection and queue. */
  cut?(): void;
}

/**
 * Exactly one of `json`, `empty` or `stream` is called, once; nothing is on the wire before that. After a disconnect
 * every call is harmless and says nothing to anybody.
 */
export interface HttpResponder {
  json(status: number, body: string, headers?: Readonly<Record<string, string>>): void;
  empty(status: number, headers?: Readonly<Record<string, string>>): void;
  /** Sends status and headers at once and keeps the connection open. */
  stream(headers?: Readonly<Record<string, string>>): FrameStream;
  /** Called at most once by an exchange. `fn` runs once if the client goes away before the answer is complete, and never after it. */
  onDisconnect(fn: () => void): void;
}
