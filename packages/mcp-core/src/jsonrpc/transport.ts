import type { JsonRpcMessage, RequestId } from './messages.js';

/** What a transport may want to know of a message besides the message. */
export interface TransportSendOptions {
  /** The incoming request on whose behalf this message goes out, so that it can travel with that request's answer. */
  relatedRequestId?: RequestId;
}

/**
 * One end of a connection. Structurally the official SDK's `Transport`, so that its transports plug in; ours may also
 * send without a promise.
 */
export interface Transport {
  /** Opens what there is to open. Callbacks are installed before. */
  start(): Promise<void>;
  /** Takes one message, in order. Throws or rejects when it cannot be encoded or the connection is closed. */
  send(message: JsonRpcMessage, options?: TransportSendOptions): Promise<void> | void;
  /** Ends the connection; `onclose` follows. May be called twice. */
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  // A method, not a property: parameters of methods compare loosely, and transports differ in how narrow theirs are.
  onmessage?(message: unknown, extra?: unknown): void;

  /** `send` knows what to do with a `PreEncoded` result. Without it results are handed over as plain values. */
  readonly acceptsPreEncoded?: boolean;
  /** Messages are fed to `dispatcher.receive` by whoever made the transport; no callbacks are installed. */
  readonly passive?: boolean;
}

/** A transport however narrow its own types of messages are: what `connect` takes, so that anybody's plugs in. */
export type PluggableTransport = Omit<Transport, 'send'> & {
  send(message: never, options?: never): Promise<void> | void;
};
