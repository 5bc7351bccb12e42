import type { ServerSettings } from '../../ports/catalogue.js';
import type { LiveSession } from '../../sessions/live-session.js';
import type { EventSink } from '../../sessions/session-streams.js';
import type { HttpResponder } from '../http-exchange.js';
import type { ResponseHeaders } from './exchange.js';
import type { EndpointServices } from './services.js';
import { SseConnection } from './sse-connection.js';
import { dataFrame, eventFrame, primingFrame, retryFrame } from './sse-frame.js';

/** How long a client waits before it comes back to a stream whose connection the server has closed. */
const RETRY_MS = 1_000;

/** A connection that shows one stream of a session. When the client leaves, the stream goes on without it. */
export class ConnectionSink implements EventSink {
  readonly #connection: SseConnection;
  #detach: (() => void) | undefined;
  #session: string | undefined;
  /** Told once when the connection is over, whoever ended it. */
  onClosed: (() => void) | undefined;

  constructor(
    private readonly services: EndpointServices,
    responder: HttpResponder,
    settings: ServerSettings,
    headers?: ResponseHeaders,
  ) {
    this.#connection = new SseConnection(
      responder,
      services.clock,
      settings.keepAliveMs,
      services.limits.queuedBytes,
      () => {
        services.logger.warn({ session: this.#session }, 'stream cut: the client reads too slowly; it can resume');
        this.#detach?.();
        this.onClosed?.();
      },
      headers,
    );
  }

  get closed(): boolean {
    return this.#connection.closed;
  }

  /** The client closed the connection. */
  gone(): void {
    this.#connection.abandon();
    this.#detach?.();
    this.onClosed?.();
  }

  /** Somebody else attaches it: what ends that when the connection is over. */
  attached(session: string, detach: () => void): void {
    this.#session = session;
    this.#detach = detach;
  }

  prime(id: string): void {
    this.#connection.write(primingFrame(id));
  }

  /**
   * Shows a stream from a position on.
   * @param failed called when it cannot be shown, because there is no such stream or the log is away
   */
  show(session: LiveSession, stream: string, after: number, failed: () => void): void {
    this.#session = session.id;
    const attached = session.attach(stream, after, this);
    const settle = (detach: (() => void) | undefined) => {
      if (detach === undefined) failed();
      else if (this.#connection.closed) detach();
      else this.#detach = detach;
    };
    if (!(attached instanceof Promise)) return settle(attached);
    attached.then(settle, (error) => {
      this.services.logger.error({ session: session.id, error: String(error) }, 'stream could not be attached');
      failed();
    });
  }

  event(id: string, json: string): void {
    this.#connection.write(eventFrame(id, json));
  }

  unlogged(json: string): void {
    this.#connection.write(dataFrame(json));
  }

  last(json: string): void {
    this.unlogged(json);
    this.end();
  }

  end(): void {
    this.#connection.end();
    this.onClosed?.();
  }

  /** The server closes a connection whose stream goes on elsewhere. */
  leave(retryMs = RETRY_MS): void {
    this.#connection.write(retryFrame(retryMs));
    this.#detach?.();
    this.end();
  }
}
