import { notificationMessage, type RequestId } from '../jsonrpc/messages.js';
import type { ServerSettings } from '../ports/catalogue.js';
import { openIn, type StreamFollower } from '../ports/event-log.js';
import type { MaybePromise, SessionKey, SessionRecord } from '../ports/session-store.js';
import { passesLevel } from '../protocol/log-levels.js';
import type { LogLevel } from '../protocol/types.js';
import { encodeEventId } from './event-id.js';
import type { SessionPorts } from './session-ports.js';
import { tracedEvent } from './trace.js';

/** A connection that shows a stream to the client. */
export interface EventSink {
  event(id: string, json: string): void;
  /** A message that the log did not take and which therefore has no id. */
  unlogged(json: string): void;
  /** Events before `next` are lost. Without it the client is told so in a log message. */
  gap?(next: number): void;
  /** As `unlogged`; nothing follows. */
  last(json: string): void;
  /** Nothing follows on this connection: the stream is over, or another connection shows it now. */
  end(): void;
  /** As `end`, and asks the client to come back for the rest after so many milliseconds. */
  leave(retryMs?: number): void;
}

/** A stream that a connection to this node shows. */
export interface OpenStream {
  readonly stream: string;
  readonly kind: 'standalone' | 'call';
  readonly openedAt: number;
  /** Events shown on the connection. */
  readonly events: number;
}

interface Attachment {
  readonly sink: EventSink;
  readonly openedAt: number;
  events: number;
  stop: (() => void) | undefined;
  live: boolean;
}

/** The streams of one session on one node: what is said on them goes to the log, and attached connections follow it. */
export abstract class SessionStreams {
  #streamPrefix: string | undefined;
  #streamCount = 0;
  readonly #attached = new Map<string, Attachment>();

  constructor(protected readonly ports: SessionPorts) {}

  abstract readonly key: SessionKey;
  abstract get record(): SessionRecord;
  abstract readonly settings: ServerSettings;
  abstract readonly logLevel: LogLevel;
  abstract readonly ended: boolean;

  /** A connection has let go. */
  protected abstract released(): void;

  /** Streams attached here. */
  get streams(): number {
    return this.#attached.size;
  }

  /** The same, one by one. */
  get openStreams(): OpenStream[] {
    const { standaloneStream } = this.record;
    return [...this.#attached].map(([stream, { openedAt, events }]) => ({
      stream,
      kind: stream === standaloneStream ? 'standalone' : 'call',
      openedAt,
      events,
    }));
  }

  /** A name for a new stream, unlike that of any other stream of any session. */
  newStream(): string {
    this.#streamPrefix ??= this.ports.ids.next().slice(0, 16);
    this.#streamCount++;
    return `${this.#streamPrefix}-${this.#streamCount.toString(36)}`;
  }

  /**
   * Makes a stream of this session known to the log.
   * @param requests those that are run here and answered on it
   */
  openStream(stream: string, requests: readonly RequestId[] = []): MaybePromise<void> {
    const { eventLog, nodeId } = this.ports;
    return openIn(
      eventLog,
      this.key,
      stream,
      this.settings,
      requests.length === 0 ? undefined : { node: nodeId, requests },
    );
  }

  append(stream: string, json: string): void {
    this.unwatched(this.ports.eventLog.append(this.key, stream, json), 'event could not be logged');
  }

  /** As `append`, for what somebody waits for: when the log does not take it, whoever is connected here is given it. */
  answer(stream: string, json: string): void {
    const appended = this.ports.eventLog.append(this.key, stream, json);
    const show = (reason: string) => this.#notLogged(stream, reason)?.sink.unlogged(json);
    const settle = (sequence: number | undefined) => {
      if (sequence === undefined) show('the log has no such stream');
    };
    if (!(appended instanceof Promise)) return settle(appended);
    appended.then(settle, (error) => show(String(error)));
  }

  /**
   * Adds the last message of a stream and ends it. When the log does not take it, whoever is connected here is given it
   * all the same: a client that waits must not wait for ever.
   */
  finish(stream: string, json: string): void {
    const appended = this.ports.eventLog.append(this.key, stream, json, true);
    const failed = (reason: string) => {
      this.#unlogged(stream, json, reason);
      this.endStream(stream);
    };
    const settle = (sequence: number | undefined) => {
      if (sequence === undefined) failed('the log has no such stream');
    };
    if (!(appended instanceof Promise)) return settle(appended);
    appended.then(settle, (error) => failed(String(error)));
  }

  endStream(stream: string): void {
    const ended = this.ports.eventLog.end(this.key, stream);
    if (!(ended instanceof Promise)) return;
    ended.catch((error) => {
      this.ports.logger.error({ session: this.key.id, error: String(error) }, 'stream could not be ended');
      this.letGo(stream);
    });
  }

  /**
   * Shows a stream on a connection from a position on; a connection that showed it before is let go.
   * @returns what detaches it again, which may be called twice; undefined when there is no such stream or position
   */
  attach(stream: string, after: number, sink: EventSink): MaybePromise<(() => void) | undefined> {
    if (this.ended) return undefined;
    this.letGo(stream);
    const attachment: Attachment = { sink, openedAt: this.ports.clock.now(), events: 0, stop: undefined, live: true };
    this.#attached.set(stream, attachment);
    this.#traceStream('open', stream);
    const following = this.ports.eventLog.follow(this.key, stream, after, this.#follower(stream, attachment));
    const settle = (stop: (() => void) | undefined) => this.#settle(stream, attachment, stop);
    if (!(following instanceof Promise)) return settle(following);
    return following.then(settle, (error) => {
      // What cannot be shown must not hold the session.
      this.#detach(stream, attachment);
      throw error;
    });
  }

  /** Ends the connection that shows a stream here, if one does; the stream itself goes on. */
  letGo(stream: string): void {
    const attachment = this.#attached.get(stream);
    if (attachment === undefined) return;
    this.#detach(stream, attachment);
    attachment.sink.end();
  }

  /** Closes the connection that shows a stream here; the client is asked to take the stream up again. */
  leaveStream(stream: string, retryMs: number | undefined): void {
    const attachment = this.#attached.get(stream);
    if (attachment === undefined) return;
    this.#detach(stream, attachment);
    attachment.sink.leave(retryMs);
  }

  /** Closes every connection that is attached here. */
  closeStreams(): void {
    for (const stream of [...this.#attached.keys()]) this.letGo(stream);
  }

  #follower(stream: string, attachment: Attachment): StreamFollower {
    const { sink } = attachment;
    const over = () => {
      if (!attachment.live) return;
      this.#detach(stream, attachment);
      sink.end();
    };
    return {
      event: ({ sequence, data }) => {
        if (!attachment.live) return;
        attachment.events++;
        // What is said on a call's own stream is told where it is said.
        if (stream === this.record.standaloneStream) this.ports.tracer?.message(this.key, tracedEvent(data));
        sink.event(encodeEventId({ stream, sequence }), data);
      },
      gap: (next) => {
        if (!attachment.live) return;
        if (sink.gap === undefined) this.#announceGap(stream, next, sink);
        else sink.gap(next);
      },
      end: over,
      taken: over,
    };
  }

  #settle(stream: string, attachment: Attachment, stop: (() => void) | undefined): (() => void) | undefined {
    if (stop === undefined) {
      this.#detach(stream, attachment);
      return undefined;
    }
    attachment.stop = stop;
    // The stream may have ended, or the connection gone, while the log was asked.
    if (!attachment.live) stop();
    return () => this.#detach(stream, attachment);
  }

  #detach(stream: string, attachment: Attachment): void {
    if (!attachment.live) return;
    attachment.live = false;
    attachment.stop?.();
    if (this.#attached.get(stream) === attachment) this.#attached.delete(stream);
    this.#traceStream('close', stream);
    this.released();
  }

  #traceStream(name: 'open' | 'close', stream: string): void {
    this.ports.tracer?.message(this.key, { direction: 'server', kind: 'stream', name, stream, bytes: 0 });
  }

  #unlogged(stream: string, json: string, reason: string): void {
    const attachment = this.#notLogged(stream, reason);
    if (attachment === undefined) return;
    this.#detach(stream, attachment);
    attachment.sink.last(json);
  }

  #notLogged(stream: string, reason: string): Attachment | undefined {
    this.ports.logger.error({ session: this.key.id, stream, reason }, 'answer could not be logged');
    return this.#attached.get(stream);
  }

  #announceGap(stream: string, next: number, sink: EventSink): void {
    const { logger } = this.ports;
    logger.warn({ session: this.key.id, stream, next }, 'replay has a gap: older events are no longer kept');
    if (!passesLevel('warning', this.logLevel)) return;
    const data = 'Some events before this one are no longer kept and could not be replayed.';
    const message = notificationMessage('notifications/message', { level: 'warning', logger: 'replay', data });
    sink.event(encodeEventId({ stream, sequence: next - 1 }), JSON.stringify(message));
  }

  protected unwatched(result: MaybePromise<unknown>, failure: string): void {
    if (!(result instanceof Promise)) return;
    result.catch((error) => this.ports.logger.error({ session: this.key.id, error: String(error) }, failure));
  }
}
