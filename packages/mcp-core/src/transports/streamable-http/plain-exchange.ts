import { Exchange } from './exchange.js';
import { SseConnection } from './sse-connection.js';
import { dataFrame } from './sse-frame.js';

/** An exchange whose stream, once open, is this connection and nothing else: no event ids, nothing to resume. */
export abstract class PlainExchange extends Exchange {
  #connection: SseConnection | undefined;

  get notices(): undefined {
    return undefined;
  }

  get unaskable(): string {
    return 'the request came without a session';
  }

  askable(): string {
    return this.unaskable;
  }

  disconnected(): void {
    this.#connection?.abandon();
    if (!this.revision.disconnectCancels) return;
    this.endUnread();
    this.stopWork('The client closed the connection');
  }

  #connect(): SseConnection {
    this.#connection ??= new SseConnection(
      this.responder,
      this.clock,
      this.server.snapshot.settings.keepAliveMs,
      this.limits.queuedBytes,
      () => {
        this.logger.warn({ method: this.request.method }, 'stream cut: the client reads too slowly');
        this.disconnected();
      },
      this.headers,
    );
    return this.#connection;
  }

  protected openStream(): void {
    this.#connect();
  }

  protected stream(json: string): void {
    this.#connect().write(dataFrame(json));
  }

  protected streamLast(json: string): boolean {
    // Without JSON among what the client accepts the answer is a stream of one message; a refusal is JSON regardless.
    if (this.#connection === undefined && (this.accepts.json || this.status !== 200)) return false;
    this.stream(json);
    this.#connection?.end();
    return true;
  }

  protected streamEnd(): boolean {
    if (this.#connection === undefined) return false;
    this.#connection.end();
    return true;
  }
}
