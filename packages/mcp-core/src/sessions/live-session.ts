import { MAX_SUBSCRIPTIONS } from '../dispatch/limits.js';
import type { SessionAccess, StateHolder } from '../dispatch/request-context.js';
import { MCP_CODES, MCPError } from '../jsonrpc/errors.js';
import { notificationMessage } from '../jsonrpc/messages.js';
import type { ServerSettings } from '../ports/catalogue.js';
import type { Timer } from '../ports/clock.js';
import type { LogBounds, StreamFollower } from '../ports/event-log.js';
import type { MaybePromise, SessionKey, SessionRecord } from '../ports/session-store.js';
import { passesLevel } from '../protocol/log-levels.js';
import type { LogLevel } from '../protocol/types.js';
import { encodeEventId } from './event-id.js';
import { Lane } from './lane.js';
import { Readiness } from './readiness.js';
import { SessionInFlight } from './session-in-flight.js';
import { SessionPending } from './session-pending.js';
import type { SessionPorts } from './session-ports.js';
import { notStored, stateText } from './state-text.js';

/** How often the store is asked whether the client has told another node that it is ready. */
const REREAD_MS = 500;
/** Replay of one stream is bounded by `replayMax` events and by this many bytes. */
const MAX_REPLAY_BYTES = 1024 * 1024;

/** A connection that shows a stream to the client. */
export interface EventSink {
  event(id: string, json: string): void;
  /** A message that the log did not take and which therefore has no id. */
  unlogged(json: string): void;
  /** As `unlogged`; nothing follows. */
  last(json: string): void;
  /** Nothing follows on this connection: the stream is over, or another connection shows it now. */
  end(): void;
  /** As `end`, and asks the client to come back for the rest after so many milliseconds. */
  leave(retryMs?: number): void;
}

/** A request of the session that is still running here. */
export interface RunningExchange {
  /** The session is over: answers what can still be answered, stops the work. */
  sessionEnded(): void;
}

interface Attachment {
  readonly sink: EventSink;
  stop: (() => void) | undefined;
  live: boolean;
}

/** What one node holds of one session: its running requests, its attached streams, and its lane of stateful calls. */
export class LiveSession implements SessionAccess {
  readonly inFlight: SessionInFlight;
  readonly pending: SessionPending;
  readonly key: SessionKey;
  #lane: Lane | undefined;
  #streamPrefix: string | undefined;
  #streamCount = 0;
  readonly #running = new Set<RunningExchange>();
  readonly #attached = new Map<string, Attachment>();
  /** Looks after the session's lifetime. */
  watch: Timer | undefined;
  #ended = false;

  readonly #readiness: Readiness;
  #record: SessionRecord;

  constructor(
    private readonly ports: SessionPorts,
    record: SessionRecord,
    public settings: ServerSettings,
  ) {
    const { server, owner, id } = record;
    this.key = { server, owner, id };
    this.#record = record;
    this.#readiness = new Readiness(ports.clock);
    if (record.initialized) this.#readiness.set();
    this.inFlight = new SessionInFlight(ports.clock, (request, reason) =>
      ports.nodeBus.broadcast(ports.nodeId, { kind: 'cancel', session: this.key, request, reason }),
    );
    this.pending = new SessionPending(ports.nodeId, (node, response) =>
      ports.nodeBus.send(node, { kind: 'answer', session: this.key, response }),
    );
  }

  /** The session as it was last read. */
  get record(): SessionRecord {
    return this.#record;
  }

  set record(record: SessionRecord) {
    this.#record = record;
    if (record.initialized) this.#readiness.set();
  }

  get id(): string {
    return this.record.id;
  }

  get logLevel(): LogLevel {
    return this.record.logLevel;
  }

  /** Requests that run or wait here. */
  get running(): number {
    return this.#running.size;
  }

  /** Streams attached here. */
  get streams(): number {
    return this.#attached.size;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Something here keeps the session alive, whatever the time. */
  get held(): boolean {
    return this.#running.size > 0 || this.#attached.size > 0;
  }

  setLogLevel(level: LogLevel): MaybePromise<void> {
    const stored = this.ports.sessionStore.setLogLevel(this.key, level);
    const apply = () => {
      this.record = { ...this.record, logLevel: level };
    };
    return stored instanceof Promise ? stored.then(apply) : apply();
  }

  /** The client has said `notifications/initialized`, to this node. */
  initialized(): void {
    if (this.#readiness.ready) return;
    this.#readiness.set();
    this.#unwatched(this.ports.sessionStore.markInitialized(this.key), 'session could not be marked as initialized');
  }

  /** Waits until the client is ready for requests of ours. False when it is not in time, or the signal aborts. */
  async whenInitialized(signal: AbortSignal, limitMs: number): Promise<boolean> {
    for (let left = limitMs; ; left -= REREAD_MS) {
      // It may have been said to another node, before the wait or during it.
      const stored = this.#readiness.ready || (await this.ports.sessionStore.get(this.key))?.initialized;
      if (stored) this.#readiness.set();
      if (this.#readiness.ready || left <= 0 || signal.aborted) return this.#readiness.ready;
      await this.#readiness.wait(signal, Math.min(left, REREAD_MS));
    }
  }

  subscribe(uri: string): MaybePromise<'subscribed' | 'full'> {
    const subscribed = this.ports.sessionStore.subscribe(this.key, uri, MAX_SUBSCRIPTIONS);
    const settle = (outcome: 'subscribed' | 'full' | 'unknown') => {
      if (outcome === 'unknown') throw new MCPError(MCP_CODES.INTERNAL_ERROR, 'The session has ended');
      return outcome;
    };
    return subscribed instanceof Promise ? subscribed.then(settle) : settle(subscribed);
  }

  unsubscribe(uri: string): MaybePromise<void> {
    const done = this.ports.sessionStore.unsubscribe(this.key, uri);
    return done instanceof Promise ? done.then(() => undefined) : undefined;
  }

  track(exchange: RunningExchange): void {
    this.#running.add(exchange);
  }

  untrack(exchange: RunningExchange): void {
    if (this.#running.delete(exchange)) this.#released();
  }

  async exclusively<T>(signal: AbortSignal, job: (holder: StateHolder) => Promise<T>): Promise<T> {
    this.#lane ??= new Lane(this.ports.clock);
    const lane = this.#lane;
    await lane.enter(signal, this.settings.requestTimeoutMs);
    try {
      const record = await this.ports.sessionStore.get(this.key);
      if (record === undefined) throw new MCPError(MCP_CODES.INTERNAL_ERROR, 'The session has ended');
      const holder: StateHolder = { state: JSON.parse(record.state) as Record<string, unknown> };
      const outcome = await job(holder);
      if (holder.state !== undefined) await this.#store(holder.state, record);
      return outcome;
    } finally {
      lane.leave();
    }
  }

  /** A name for a new stream, unlike that of any other stream of any session. */
  newStream(): string {
    this.#streamPrefix ??= this.ports.ids.next().slice(0, 16);
    this.#streamCount++;
    return `${this.#streamPrefix}-${this.#streamCount.toString(36)}`;
  }

  /** Makes a stream of this session known to the log. */
  openStream(stream: string): MaybePromise<void> {
    const bounds: LogBounds = { maxEvents: this.settings.replayMax, maxBytes: MAX_REPLAY_BYTES };
    return this.ports.eventLog.open(this.key, stream, bounds);
  }

  append(stream: string, json: string): void {
    this.#unwatched(this.ports.eventLog.append(this.key, stream, json), 'event could not be logged');
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
    const appended = this.ports.eventLog.append(this.key, stream, json);
    const settle = (sequence: number | undefined) => {
      if (sequence === undefined) this.#unlogged(stream, json, 'the log has no such stream');
      this.endStream(stream);
    };
    if (!(appended instanceof Promise)) return settle(appended);
    appended.then(settle, (error) => {
      this.#unlogged(stream, json, String(error));
      this.endStream(stream);
    });
  }

  endStream(stream: string): void {
    const ended = this.ports.eventLog.end(this.key, stream);
    if (!(ended instanceof Promise)) return;
    ended.catch((error) => {
      this.ports.logger.error({ session: this.id, error: String(error) }, 'stream could not be ended');
      this.letGo(stream);
    });
  }

  /**
   * Shows a stream on a connection from a position on; a connection that showed it before is let go.
   * @returns what detaches it again, which may be called twice; undefined when there is no such stream or position
   */
  attach(stream: string, after: number, sink: EventSink): MaybePromise<(() => void) | undefined> {
    if (this.#ended) return undefined;
    this.letGo(stream);
    const attachment: Attachment = { sink, stop: undefined, live: true };
    this.#attached.set(stream, attachment);
    // Said before the log is asked, so that of two connections the one that came later is the one that stays.
    this.ports.nodeBus.broadcast(this.ports.nodeId, { kind: 'attached', session: this.key, stream });
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

  /** The session is over. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.watch?.cancel();
    for (const exchange of [...this.#running]) exchange.sessionEnded();
    this.closeStreams();
    this.#unwatched(this.ports.eventLog.drop(this.key), 'event log could not be dropped');
  }

  /** Closes every connection that is attached here. */
  closeStreams(): void {
    for (const stream of [...this.#attached.keys()]) this.letGo(stream);
  }

  #follower(stream: string, attachment: Attachment): StreamFollower {
    const { sink } = attachment;
    return {
      event: ({ sequence, data }) => {
        if (attachment.live) sink.event(encodeEventId({ stream, sequence }), data);
      },
      gap: (next) => {
        if (attachment.live) this.#announceGap(stream, next, sink);
      },
      end: () => {
        if (!attachment.live) return;
        this.#detach(stream, attachment);
        sink.end();
      },
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
    this.#released();
  }

  /** What held the session for long has let go: its idle time begins now. */
  #released(): void {
    if (this.#ended || this.held) return;
    if (this.ports.clock.now() - this.record.lastSeenAt < 1_000) return;
    this.#unwatched(
      this.ports.sessionStore.touch(this.key, this.settings.sessionTtlMs),
      'session could not be touched',
    );
  }

  #unlogged(stream: string, json: string, reason: string): void {
    const attachment = this.#notLogged(stream, reason);
    if (attachment === undefined) return;
    this.#detach(stream, attachment);
    attachment.sink.last(json);
  }

  #notLogged(stream: string, reason: string): Attachment | undefined {
    this.ports.logger.error({ session: this.id, stream, reason }, 'answer could not be logged');
    return this.#attached.get(stream);
  }

  #announceGap(stream: string, next: number, sink: EventSink): void {
    const { logger } = this.ports;
    logger.warn({ session: this.id, stream, next }, 'replay has a gap: older events are no longer kept');
    if (!passesLevel('warning', this.logLevel)) return;
    const data = 'Some events before this one are no longer kept and could not be replayed.';
    const message = notificationMessage('notifications/message', { level: 'warning', logger: 'replay', data });
    sink.event(encodeEventId({ stream, sequence: next - 1 }), JSON.stringify(message));
  }

  async #store(state: unknown, record: SessionRecord): Promise<void> {
    const text = stateText(state);
    if (text === record.state) return;
    if (!(await this.ports.sessionStore.saveState(this.key, text, record.stateVersion))) {
      throw notStored('the session has ended or was changed elsewhere');
    }
  }

  #unwatched(result: MaybePromise<unknown>, failure: string): void {
    if (!(result instanceof Promise)) return;
    result.catch((error) => this.ports.logger.error({ session: this.id, error: String(error) }, failure));
  }
}
