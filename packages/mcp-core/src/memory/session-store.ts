import type { Clock } from '../ports/clock.js';
import { type SessionKey, type SessionRecord, type SessionStore, sessionKeyText } from '../ports/session-store.js';
import type { LogLevel } from '../protocol/types.js';

/** Sessions of one process, gone with it. A session whose time has passed is swept when somebody looks. */
export class InMemorySessionStore implements SessionStore {
  readonly #sessions = new Map<string, SessionRecord>();
  /** Subscribed URIs by the session's key. */
  readonly #subscriptions = new Map<string, Set<string>>();
  readonly #perServer = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  create(record: SessionRecord, max: number): 'created' | 'full' {
    if (this.count(record.server) >= max) {
      this.#sweep(record.server);
      if (this.count(record.server) >= max) return 'full';
    }
    this.#sessions.set(sessionKeyText(record), record);
    this.#perServer.set(record.server, this.count(record.server) + 1);
    return 'created';
  }

  get(key: SessionKey): SessionRecord | undefined {
    const text = sessionKeyText(key);
    const record = this.#sessions.get(text);
    if (record === undefined || record.expiresAt > this.clock.now()) return record;
    this.#remove(text, record);
    return undefined;
  }

  touch(key: SessionKey, ttlMs: number): SessionRecord | undefined {
    const now = this.clock.now();
    return this.#change(key, { lastSeenAt: now, expiresAt: now + ttlMs });
  }

  setLogLevel(key: SessionKey, logLevel: LogLevel): boolean {
    return this.#change(key, { logLevel }) !== undefined;
  }

  markInitialized(key: SessionKey): boolean {
    return this.#change(key, { initialized: true }) !== undefined;
  }

  subscribe(key: SessionKey, uri: string, max: number): 'subscribed' | 'full' | 'unknown' {
    if (this.get(key) === undefined) return 'unknown';
    const text = sessionKeyText(key);
    const uris = this.#subscriptions.get(text) ?? new Set();
    if (uris.size >= max && !uris.has(uri)) return 'full';
    this.#subscriptions.set(text, uris.add(uri));
    return 'subscribed';
  }

  unsubscribe(key: SessionKey, uri: string): boolean {
    if (this.get(key) === undefined) return false;
    this.#subscriptions.get(sessionKeyText(key))?.delete(uri);
    return true;
  }

  subscribers(server: string, uri: string): readonly SessionRecord[] {
    const now = this.clock.now();
    return [...this.#subscriptions].flatMap(([text, uris]) => {
      const record = uris.has(uri) ? this.#sessions.get(text) : undefined;
      return record !== undefined && record.server === server && record.expiresAt > now ? [record] : [];
    });
  }

  saveState(key: SessionKey, state: string, expectedVersion: number): boolean {
    if (this.get(key)?.stateVersion !== expectedVersion) return false;
    return this.#change(key, { state, stateVersion: expectedVersion + 1 }) !== undefined;
  }

  delete(key: SessionKey): boolean {
    const record = this.get(key);
    if (record === undefined) return false;
    this.#remove(sessionKeyText(key), record);
    return true;
  }

  count(server: string): number {
    return this.#perServer.get(server) ?? 0;
  }

  list(server?: string): readonly SessionRecord[] {
    this.#sweep(server);
    const all = [...this.#sessions.values()];
    return server === undefined ? all : all.filter((record) => record.server === server);
  }

  #change(key: SessionKey, change: Partial<SessionRecord>): SessionRecord | undefined {
    const record = this.get(key);
    if (record === undefined) return undefined;
    const changed = { ...record, ...change };
    this.#sessions.set(sessionKeyText(key), changed);
    return changed;
  }

  #sweep(server: string | undefined): void {
    const now = this.clock.now();
    for (const [text, record] of this.#sessions) {
      if (record.expiresAt <= now && (server === undefined || record.server === server)) this.#remove(text, record);
    }
  }

  #remove(text: string, record: SessionRecord): void {
    this.#sessions.delete(text);
    this.#subscriptions.delete(text);
    const left = this.count(record.server) - 1;
    if (left > 0) this.#perServer.set(record.server, left);
    else this.#perServer.delete(record.server);
  }
}
