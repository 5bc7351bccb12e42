import { EARLY_CANCEL_TTL_MS } from '../jsonrpc/in-flight-table.js';
import { type JsonRpcResponse, requestKey } from '../jsonrpc/messages.js';
import type { ServerSettings } from '../ports/catalogue.js';
import type { NodeMessage } from '../ports/node-bus.js';
import {
  type MaybePromise,
  type SessionCap,
  type SessionKey,
  type SessionRecord,
  type SessionTransport,
  sessionKeyText,
} from '../ports/session-store.js';
import type { ClientInfo } from '../ports/tool-runner.js';
import { DEFAULT_LOG_LEVEL } from '../protocol/log-levels.js';
import { type AskOptions, askUntilAnswered } from './ask-until-answered.js';
import { EarlyCancels } from './early-cancels.js';
import { LiveSession, ttlOf } from './live-session.js';
import { outcomeUnknown } from './outcome-unknown.js';
import type { SessionPorts } from './session-ports.js';
import type { SessionViewPage } from './session-view.js';

/** In whose name a session is opened, and the scopes that bound how many there may be. */
export interface SessionOpener {
  readonly server: string;
  readonly owner: string;
  readonly sessionCaps?: readonly SessionCap[];
}

/** A session that the store is asked for: when it ends meanwhile, what the store answers is true no more. */
interface Lookup {
  readonly text: string;
  ended: boolean;
}

/** Opens, finds and ends sessions, and lets go of those whose time has passed. */
export class Sessions {
  readonly #live = new Map<string, LiveSession>();
  readonly #early: EarlyCancels;
  readonly #lookups = new Set<Lookup>();
  readonly #stopListening: () => void;
  readonly #stopWatching: (() => void) | undefined;
  /** When words of other nodes may have been missed last; what was said before this node was there was missed too. */
  #missedAt: number;

  constructor(private readonly ports: SessionPorts) {
    this.#early = new EarlyCancels(ports.clock);
    this.#missedAt = ports.clock.now();
    this.#stopListening = ports.nodeBus.listen(
      ports.nodeId,
      (message) => this.#told(message),
      () => this.#missed(),
    );
    this.#stopWatching = ports.liveNodes?.onGone((node) => this.#nodeGone(node));
  }

  /** Gives the cap that is reached when there may be no further session. */
  open(
    { server, owner, sessionCaps = [] }: SessionOpener,
    settings: ServerSettings,
    client: ClientInfo,
    transport: SessionTransport = 'streamable-http',
  ): MaybePromise<LiveSession | SessionCap> {
    const { ids, nodeId: node, clock, sessionStore } = this.ports;
    const now = clock.now();
    const record: SessionRecord = {
      server,
      owner,
      id: ids.next(),
      transport,
      client,
      logLevel: DEFAULT_LOG_LEVEL,
      initialized: false,
      standaloneStream: ids.next(),
      node,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: now + ttlOf({ transport }, settings),
    };
    const created = sessionStore.create(record, [{ scope: server, max: settings.maxSessions }, ...sessionCaps]);
    const settle = (outcome: 'created' | SessionCap) =>
      outcome === 'created' ? this.#enliven(record, settings) : outcome;
    return created instanceof Promise ? created.then(settle) : settle(created);
  }

  /** Finds a living session and counts this as use of it. */
  find(key: SessionKey, settings: ServerSettings): MaybePromise<LiveSession | undefined> {
    const touched = this.ports.sessionStore.touch(key, settings.sessionTtlMs);
    const settle = (session: LiveSession | undefined) => (session?.isStream ? undefined : session);
    return this.#settled(key, touched, settings, settle);
  }

  /** Finds a living session of `http+sse`. Use does not prolong it: it lives as long as its stream. */
  findOnStream(key: SessionKey, settings: ServerSettings): MaybePromise<LiveSession | undefined> {
    const read = this.ports.sessionStore.get(key);
    return this.#settled(key, read, settings, (session) => {
      if (session === undefined || !session.isStream) return undefined;
      if (!this.ports.liveNodes?.isGone(session.record.node)) return session;
      this.#endUnwatched(session);
      return undefined;
    });
  }

  /** Ends a session on every node. False when there was none. */
  end(key: SessionKey): MaybePromise<boolean> {
    const deleted = this.ports.sessionStore.delete(key);
    const settle = (existed: boolean) => {
      this.#endHere(key);
      this.ports.nodeBus.broadcast(this.ports.nodeId, { kind: 'end', session: key });
      return existed;
    };
    return deleted instanceof Promise ? deleted.then(settle) : settle(deleted);
  }

  /** A session as it is stored; undefined when it is over. */
  stored(key: SessionKey): MaybePromise<SessionRecord | undefined> {
    return this.ports.sessionStore.get(key);
  }

  /** The store's part of `end`: whoever comes is told that the session is over. False when there was none. */
  remove(key: SessionKey): MaybePromise<boolean> {
    return this.ports.sessionStore.delete(key);
  }

  /** This node's part of `end`: lets go of what it holds of a session that is over. */
  letGo(key: SessionKey): void {
    this.#endHere(key);
  }

  /** What this node has in memory of a session. */
  held(key: SessionKey): LiveSession | undefined {
    return this.#live.get(sessionKeyText(key));
  }

  /** Living sessions of a scope, oldest first. */
  async list(scope: string, limit: number, after?: string): Promise<SessionViewPage> {
    const { items, next } = await this.ports.sessionStore.list(scope, limit, after);
    const views = items.map((record) => {
      const live = this.#live.get(sessionKeyText(record));
      return { ...record, inFlight: live?.running ?? 0, streams: live?.streams ?? 0 };
    });
    return { items: views, next };
  }

  /** Sessions that this node has in memory. */
  get size(): number {
    return this.#live.size;
  }

  /** This node's sessions. */
  get live(): Iterable<LiveSession> {
    return this.#live.values();
  }

  /** Lets go of everything held here; the sessions live on in the store. */
  close(): void {
    this.#stopListening();
    this.#stopWatching?.();
    for (const session of this.#live.values()) {
      session.watch?.cancel();
      session.closeStreams();
    }
    this.#live.clear();
  }

  #settled(
    key: SessionKey,
    read: MaybePromise<SessionRecord | undefined>,
    settings: ServerSettings,
    settle: (session: LiveSession | undefined) => LiveSession | undefined,
  ): MaybePromise<LiveSession | undefined> {
    if (!(read instanceof Promise)) return settle(this.#found(key, read, settings));
    return this.#awaited(key, read, settings).then(settle);
  }

  async #awaited(
    key: SessionKey,
    touched: Promise<SessionRecord | undefined>,
    settings: ServerSettings,
  ): Promise<LiveSession | undefined> {
    const lookup: Lookup = { text: sessionKeyText(key), ended: false };
    this.#lookups.add(lookup);
    try {
      const record = await touched;
      return lookup.ended ? undefined : this.#found(key, record, settings);
    } finally {
      this.#lookups.delete(lookup);
    }
  }

  #found(key: SessionKey, record: SessionRecord | undefined, settings: ServerSettings): LiveSession | undefined {
    if (record === undefined) {
      this.#endHere(key);
      return undefined;
    }
    const live = this.#live.get(sessionKeyText(key));
    if (live === undefined) {
      const met = this.#enliven(record, settings);
      if (this.ports.clock.now() - this.#missedAt <= EARLY_CANCEL_TTL_MS) this.#askWhatWasKept(met);
      return met;
    }
    live.record = record;
    live.settings = settings;
    return live;
  }

  #enliven(record: SessionRecord, settings: ServerSettings): LiveSession {
    const session = new LiveSession(this.ports, record, settings);
    const text = sessionKeyText(record);
    this.#live.set(text, session);
    for (const request of this.#early.take(text)) session.inFlight.cancelHere(request, undefined);
    this.#watch(session);
    return session;
  }

  /** Looks twice in each lifetime: renews a session that something here holds, lets go of one that is over. */
  #watch(session: LiveSession): void {
    const { clock, sessionStore, logger } = this.ports;
    const text = sessionKeyText(session.key);
    const look = async () => {
      if (this.#live.get(text) !== session) return;
      if (session.passing) return void this.#live.delete(text);
      const ttl = session.ttlMs;
      const record = await (session.held ? sessionStore.touch(session.key, ttl) : sessionStore.get(session.key));
      if (record === undefined) return this.#endHere(session.key);
      arm(Math.min(record.expiresAt - clock.now(), ttl / 2));
    };
    const arm = (ms: number) => {
      session.watch = clock.setTimer(ms, () => {
        look().catch((error) => {
          logger.error({ session: session.id, error: String(error) }, 'session could not be looked after');
          // Soon enough to renew it before its time is over, should the store be back.
          arm(session.ttlMs / 20);
        });
      });
    };
    arm(session.ttlMs / 2);
  }

  #endUnwatched(session: LiveSession): void {
    const ended = this.end(session.key);
    if (!(ended instanceof Promise)) return;
    ended.catch((error) =>
      this.ports.logger.error({ session: session.id, error: String(error) }, 'session could not be ended'),
    );
  }

  /** What was a stream of that node's is over; what it ran for a stream of ours nobody will answer. */
  #nodeGone(node: string): void {
    for (const live of [...this.#live.values()]) {
      if (live.isStream && live.record.node === node) this.#endUnwatched(live);
      for (const id of live.elsewhere.take(node)) {
        live.answer(live.record.standaloneStream, outcomeUnknown(id));
      }
    }
  }

  #endHere(key: SessionKey): void {
    const text = sessionKeyText(key);
    for (const lookup of this.#lookups) if (lookup.text === text) lookup.ended = true;
    const live = this.#live.get(text);
    if (live === undefined) return;
    this.#live.delete(text);
    live.end();
  }

  /**
   * Requests that run here may have been cancelled, their questions answered and their sessions ended, without a word
   * arriving.
   */
  #missed(): void {
    this.#missedAt = this.ports.clock.now();
    for (const live of [...this.#live.values()]) {
      if (live.running === 0) continue;
      this.#askWhetherEnded(live);
      this.#askWhatWasKept(live);
    }
  }

  #askWhetherEnded(live: LiveSession): void {
    const settle = (record: SessionRecord | undefined) => {
      if (record === undefined) this.#endHere(live.key);
    };
    askUntilAnswered(this.#askFor(live), () => this.ports.sessionStore.get(live.key), settle);
  }

  #askWhatWasKept(live: LiveSession): void {
    const { nodeBus, nodeId } = this.ports;
    const settle = (messages: readonly NodeMessage[]) => {
      for (const message of messages) this.#told(message);
    };
    askUntilAnswered(this.#askFor(live), () => nodeBus.kept(nodeId, live.key), settle);
  }

  #askFor(live: LiveSession): AskOptions {
    const { clock, logger } = this.ports;
    return {
      clock,
      limitMs: EARLY_CANCEL_TTL_MS,
      wanted: () => this.#live.get(sessionKeyText(live.key)) === live,
      failed: (error) => logger.error({ session: live.id, error: String(error) }, 'words of other nodes may be missed'),
    };
  }

  #told(message: NodeMessage): void {
    const text = sessionKeyText(message.session);
    const live = this.#live.get(text);
    if (message.kind === 'end') this.#endHere(message.session);
    else if (message.kind === 'initialized') live?.initializedElsewhere();
    else if (message.kind === 'answer') answered(live, message.response);
    else if (message.kind === 'runs') live?.elsewhere.tell(message.node, message.request, message.over);
    else if (live !== undefined) live.inFlight.cancelHere(message.request, message.reason);
    else this.#early.add(text, message.request);
  }
}

function answered(session: LiveSession | undefined, response: JsonRpcResponse): void {
  if (response.id !== undefined) session?.pending.settleHere(requestKey(response.id), response);
}
