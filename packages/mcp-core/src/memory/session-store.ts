import type { Clock } from '../ports/clock.js';
import {
  isAgreed,
  type SessionCap,
  type SessionKey,
  type SessionPage,
  type SessionRecord,
  type SessionStore,
  sessionKeyText,
} from '../ports/session-store.js';
import type { ClientInfo } from '../ports/tool-runner.js';
import type { LogLevel } from '../protocol/types.js';
import type { SessionStates } from './session-turns.js';

interface Row {
  record: SessionRecord;
  /** Counts up from session to session, so that a page begins where the one before ended. */
  readonly number: number;
  readonly scopes: readonly string[];
  /** What it is subscribed to; undefined before the first. */
  uris: Set<string> | undefined;
  /** JSON text of what stateful tools keep. */
  state: string;
}

/** Sessions of one process, gone with it. A session whose time has passed is swept when somebody looks. */
export class InMemorySessionStore implements SessionStore, SessionStates {
  /** In the order in which they were opened. */
  readonly #sessions = new Map<string, Row>();
  readonly #perScope = new Map<string, Map<string, Row>>();
  #opened = 0;

  constructor(private readonly clock: Clock) {}

  create(record: SessionRecord, caps: readonly SessionCap[]): 'created' | SessionCap {
    for (const cap of caps) {
      if (this.#size(cap.scope) < cap.max) continue;
      this.#sweep(cap.scope);
      if (this.#size(cap.scope) >= cap.max) return cap;
    }
    const text = sessionKeyText(record);
    const scopes = caps.map(({ scope }) => scope);
    const row: Row = { record, number: ++this.#opened, scopes, uris: undefined, state: '{}' };
    this.#sessions.set(text, row);
    for (const scope of row.scopes) {
      const rows = this.#perScope.get(scope) ?? new Map<string, Row>();
      this.#perScope.set(scope, rows.set(text, row));
    }
    return 'created';
  }

  get(key: SessionKey): SessionRecord | undefined {
    return this.#row(key)?.record;
  }

  touch(key: SessionKey, ttlMs: number): SessionRecord | undefined {
    const now = this.clock.now();
    return this.#change(key, { lastSeenAt: now, expiresAt: now + ttlMs });
  }

  agree(key: SessionKey, client: ClientInfo): 'agreed' | 'already' | 'unknown' {
    const row = this.#row(key);
    if (row === undefined) return 'unknown';
    if (isAgreed(row.record)) return 'already';
    row.record = { ...row.record, client };
    return 'agreed';
  }

  setLogLevel(key: SessionKey, logLevel: LogLevel): boolean {
    return this.#change(key, { logLevel }) !== undefined;
  }

  markInitialized(key: SessionKey): boolean {
    return this.#change(key, { initialized: true }) !== undefined;
  }

  subscribe(key: SessionKey, uri: string, max: number): 'subscribed' | 'full' | 'unknown' {
    const row = this.#row(key);
    if (row === undefined) return 'unknown';
    const uris = (row.uris ??= new Set());
    if (uris.size >= max && !uris.has(uri)) return 'full';
    uris.add(uri);
    return 'subscribed';
  }

  unsubscribe(key: SessionKey, uri: string): boolean {
    const row = this.#row(key);
    row?.uris?.delete(uri);
    return row !== undefined;
  }

  subscribers(server: string, uri: string): readonly SessionRecord[] {
    const now = this.clock.now();
    const rows = [...(this.#perScope.get(server)?.values() ?? [])];
    return rows.filter(({ uris, record }) => uris?.has(uri) && record.expiresAt > now).map(({ record }) => record);
  }

  delete(key: SessionKey): boolean {
    const row = this.#row(key);
    if (row === undefined) return false;
    this.#remove(sessionKeyText(key), row);
    return true;
  }

  list(scope: string, limit: number, after?: string): SessionPage {
    const now = this.clock.now();
    const start = after === undefined ? 0 : Number(after);
    const items: SessionRecord[] = [];
    let last = start;
    for (const { record, number } of this.#perScope.get(scope)?.values() ?? []) {
      if (number <= start || record.expiresAt <= now) continue;
      if (items.length === limit) return { items, next: String(last) };
      items.push(record);
      last = number;
    }
    return { items, next: undefined };
  }

  stateOf(key: SessionKey): string | undefined {
    return this.#row(key)?.state;
  }

  saveState(key: SessionKey, state: string): boolean {
    const row = this.#row(key);
    if (row !== undefined) row.state = state;
    return row !== undefined;
  }

  #row(key: SessionKey): Row | undefined {
    const text = sessionKeyText(key);
    const row = this.#sessions.get(text);
    if (row === undefined || row.record.expiresAt > this.clock.now()) return row;
    this.#remove(text, row);
    return undefined;
  }

  #change(key: SessionKey, change: Partial<SessionRecord>): SessionRecord | undefined {
    const row = this.#row(key);
    if (row === undefined) return undefined;
    row.record = { ...row.record, ...change };
    return row.record;
  }

  #size(scope: string): number {
    return this.#perScope.get(scope)?.size ?? 0;
  }

  #sweep(scope: string): void {
    const now = this.clock.now();
    for (const [text, row] of this.#perScope.get(scope) ?? []) {
      if (row.record.expiresAt <= now) this.#remove(text, row);
    }
  }

  #remove(text: string, row: Row): void {
    this.#sessions.delete(text);
    for (const scope of row.scopes) {
      const rows = this.#perScope.get(scope);
      rows?.delete(text);
      if (rows?.size === 0) this.#perScope.delete(scope);
    }
  }
}
