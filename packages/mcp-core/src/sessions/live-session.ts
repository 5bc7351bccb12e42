import { MAX_SUBSCRIPTIONS } from '../dispatch/limits.js';
import type { SessionAccess, StateHolder } from '../dispatch/request-context.js';
import { MCP_CODES, MCPError } from '../jsonrpc/errors.js';
import type { ServerSettings } from '../ports/catalogue.js';
import type { Timer } from '../ports/clock.js';
import type { ReplyStream } from '../ports/jobs.js';
import type { MaybePromise, SessionKey, SessionRecord } from '../ports/session-store.js';
import type { LogLevel } from '../protocol/types.js';
import { Readiness } from './readiness.js';
import { runInTurn } from './run-in-turn.js';
import { RunningElsewhere } from './running-elsewhere.js';
import { SessionInFlight } from './session-in-flight.js';
import { SessionPending } from './session-pending.js';
import type { SessionPorts } from './session-ports.js';
import { SessionStreams } from './session-streams.js';

/** After how long the store is asked whether the client is ready: the word of another node may have got lost. */
const REREAD_MS = 10_000;

/** Of a session that is a stream: its node renews it twice in this time, and is gone if it does not. */
const STREAM_TTL_MS = 30_000;

export function ttlOf({ transport }: Pick<SessionRecord, 'transport'>, { sessionTtlMs }: ServerSettings): number {
  return transport === 'http+sse' ? STREAM_TTL_MS : sessionTtlMs;
}

/** A request of the session that is still running here. */
export interface RunningExchange {
  /** The session is over: answers what can still be answered, stops the work. */
  sessionEnded(): void;
}

/** What one node holds of one session: its running requests, and its attached streams. */
export class LiveSession extends SessionStreams implements SessionAccess {
  readonly inFlight: SessionInFlight;
  readonly pending: SessionPending;
  readonly key: SessionKey;
  readonly #running = new Set<RunningExchange>();
  /** Requests that are answered on a stream of this node's and run on others. */
  readonly elsewhere = new RunningElsewhere();
  /** Looks after the session's lifetime. */
  watch: Timer | undefined;
  #ended = false;
  readonly #readiness: Readiness;
  #record: SessionRecord;

  constructor(
    ports: SessionPorts,
    record: SessionRecord,
    public settings: ServerSettings,
  ) {
    super(ports);
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

  /** Where tasks of the session say what they have to say. */
  get notices(): ReplyStream {
    return { key: this.key, stream: this.record.standaloneStream, answers: false };
  }

  get logLevel(): LogLevel {
    return this.record.logLevel;
  }

  /** Requests that run or wait here. */
  get running(): number {
    return this.#running.size;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Something here keeps the session alive, whatever the time. */
  get held(): boolean {
    return this.streams > 0 || (this.#running.size > 0 && !this.isStream);
  }

  /** Its life is that of its one stream, on the node that opened it. */
  get isStream(): boolean {
    return this.record.transport === 'http+sse';
  }

  /** How long it lives on when nobody renews it, in milliseconds. */
  get ttlMs(): number {
    return ttlOf(this.record, this.settings);
  }

  /** Whether there is no more to it here than in the store. */
  get passing(): boolean {
    return this.isStream && this.record.node !== this.ports.nodeId && this.#running.size === 0 && this.streams === 0;
  }

  setLogLevel(level: LogLevel): MaybePromise<void> {
    const stored = this.ports.sessionStore.setLogLevel(this.key, level);
    const apply = () => {
      this.record = { ...this.record, logLevel: level };
    };
    return stored instanceof Promise ? stored.then(apply) : apply();
  }

  /** The client has said `notifications/initialized`, to this node. Settled when it will be known whatever becomes of it. */
  initialized(): MaybePromise<void> {
    if (this.#readiness.ready) return;
    const marked = this.ports.sessionStore.markInitialized(this.key);
    const tell = () => {
      this.#readiness.set();
      this.ports.nodeBus.broadcast(this.ports.nodeId, { kind: 'initialized', session: this.key });
    };
    return marked instanceof Promise ? marked.then(tell) : tell();
  }

  /** The client has said it to another node. */
  initializedElsewhere(): void {
    this.#readiness.set();
  }

  /** Waits until the client is ready for requests of ours. False when it is not in time, or the signal aborts. */
  async whenInitialized(signal: AbortSignal, limitMs: number): Promise<boolean> {
    for (let left = limitMs; ; left -= REREAD_MS) {
      // It may have been said to another node before this one knew the session; and its bell may get lost.
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
    if (this.#running.delete(exchange)) this.released();
  }

  exclusively<T>(signal: AbortSignal, job: (holder: StateHolder) => Promise<T>): Promise<T> {
    const { sessionTurns: turns, logger } = this.ports;
    const limitMs = this.settings.requestTimeoutMs;
    const stuck = (error: unknown) =>
      logger.error({ session: this.id, error: String(error) }, 'a turn could not be given back');
    return runInTurn({ turns, session: this.key, signal, limitMs, stuck }, job);
  }

  /** The session is over. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.watch?.cancel();
    for (const exchange of [...this.#running]) exchange.sessionEnded();
    this.closeStreams();
    this.ports.tracer?.ended(this.key);
    this.unwatched(this.ports.eventLog.drop(this.key), 'event log could not be dropped');
  }

  /** What held the session for long has let go: its idle time begins now. */
  protected released(): void {
    if (this.#ended || this.held || this.isStream) return;
    if (this.ports.clock.now() - this.record.lastSeenAt < 1_000) return;
    this.unwatched(this.ports.sessionStore.touch(this.key, this.settings.sessionTtlMs), 'session could not be touched');
  }
}
