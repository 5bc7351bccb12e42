import type { RequestId } from '../jsonrpc/messages.js';
import type { SessionKey } from './session-store.js';

/** One message of a session, or a connection of it that opened or closed; never its contents. */
export interface TracedMessage {
  /** Who sent it. */
  readonly direction: 'client' | 'server';
  /** `error`: a response that is one; of no bytes when a request ended without an answer. */
  readonly kind: 'request' | 'response' | 'notification' | 'error' | 'stream';
  /** Of an answer of ours: what it answers. */
  readonly method?: string | undefined;
  readonly requestId?: RequestId | undefined;
  /** Of a tool or prompt, or the URI of a resource; of a connection "open" or "close". As long as the client likes. */
  readonly name?: string | undefined;
  /** Of a connection that opened or closed: the stream that it shows. */
  readonly stream?: string | undefined;
  /** Of the message as JSON text. */
  readonly bytes: number;
  /** Of an answer of ours: since its request, in milliseconds. */
  readonly durationMs?: number | undefined;
}

/** Told what passes in the sessions that this node serves. Called on the way of every message: must not wait or throw. */
export interface SessionTracer {
  message(session: SessionKey, message: TracedMessage): void;
  /** The session is over, or this node has let go of it. */
  ended(session: SessionKey): void;
}
