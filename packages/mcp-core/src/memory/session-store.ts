import type { Clock } from '../ports/clock.js';
import { type SessionKey, type SessionRecord, type SessionStore, sessionKeyText } from '../ports/session-store.js';
import type { LogLevel } from '../protocol/types.js';

/** Sessions of one process, gone with it. A session whose time has passed is swept when somebody looks. */
export class InMemorySessionStore implements SessionStore {
  readonly #sessions = new Map<string, SessionRecord>();
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
    const left = this.count(record.server) - 1;
    if (left > 0) this.#perServer.set(record.server, left);
    else this.#perServer.delete(record.server);
  }
}
