import type { ServerSettings } from '../../ports/catalogue.js';
import type { LiveSession } from '../../sessions/live-session.js';
import type { EventSink } from '../../sessions/session-streams.js';
import type { HttpResponder } from '../http-exchange.js';
import type { EndpointServices } from '../streamable-http/services.js';
import { SseConnection } from '../streamable-http/sse-connection.js';
import { endpointFrame, messageFrame } from './frames.js';

/** The connection that is a session: whoever ends it, client or server, has ended the session on every node. */
export class SessionStream implements EventSink {
  readonly #connection: SseConnection;
  #detach: (() => void) | undefined;
  #closed = false;
  #leaving = false;
  /** Told once when the connection is over, whoever ended it. */
  onClosed: (() => void) | undefined;

  /** Sends status and headers at once. */
  constructor(
    private readonly services: EndpointServices,
    responder: HttpResponder,
    settings: ServerSettings,
    private readonly session: LiveSession,
  ) {
    this.#connection = new SseConnection(
      responder,
      services.clock,
      settings.keepAliveMs,
      services.limits.queuedBytes,
      () => this.#over('the client reads too slowly'),
    );
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Names the address of the client's messages, then shows whatever is said in the session. */
  begin(messagesUri: string): void {
    this.#connection.write(endpointFrame(messagesUri));
    const attached = this.session.attach(this.session.record.standaloneStream, 0, this);
    const settle = (detach: (() => void) | undefined) => {
      if (detach === undefined) this.end();
      else if (this.#closed) detach();
      else this.#detach = detach;
    };
    if (!(attached instanceof Promise)) return settle(attached);
    attached.then(settle, (error) => {
      this.services.logger.error({ session: this.session.id, error: String(error) }, 'stream could not be attached');
      this.end();
    });
  }

  event(_id: string, json: string): void {
    this.unlogged(json);
    // What has just been shown may have been the last answer; whoever ran it has not put it away yet.
    if (this.#leaving) queueMicrotask(() => this.leave());
  }

  unlogged(json: string): void {
    this.#connection.write(messageFrame(json));
  }

  last(json: string): void {
    this.unlogged(json);
    this.end();
  }

  /** What is lost cannot be asked for again, and somebody may wait for it. */
  gap(): void {
    this.#over('some of what was said is no longer kept');
    this.end();
  }

  end(): void {
    this.#connection.end();
    this.#over();
  }

  /** The server goes away: the session ends as soon as nothing runs for it on this node. */
  leave(): void {
    this.#leaving = true;
    if (this.session.running === 0) this.end();
  }

  /** The client closed the connection. */
  gone(): void {
    this.#connection.abandon();
    this.#over();
  }

  /** @param fault why it is over, where that is nobody's wish */
  #over(fault?: string): void {
    if (this.#closed) return;
    this.#closed = true;
    const { logger, sessions } = this.services;
    if (fault !== undefined) logger.warn({ session: this.session.id }, `session ended: ${fault}`);
    this.#detach?.();
    this.onClosed?.();
    if (this.session.ended) return;
    const ended = sessions.end(this.session.key);
    if (!(ended instanceof Promise)) return;
    // Nobody renews it any more, so that it lapses soon all the same.
    ended.catch((error) =>
      logger.error({ session: this.session.id, error: String(error) }, 'session could not be ended'),
    );
  }
}
