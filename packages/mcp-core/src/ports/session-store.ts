import type { LogLevel } from '../protocol/types.js';
import type { ClientInfo } from './tool-runner.js';

/** A value, or a promise of it where the adapter has to ask somebody. */
export type MaybePromise<T> = T | Promise<T>;

/**
 * The full name of a session. `server` and `owner` are opaque keys of the host's making, from verified identity; an id
 * alone finds nothing, so a foreign session looks like one that never was.
 */
export interface SessionKey {
  readonly server: string;
  readonly owner: string;
  readonly id: string;
  /**
   * No session stands behind it, only streams of the event log, each as old as itself: what a job says whose caller has
   * no session.
   */
  readonly alone?: true;
}

/** How a session's messages travel. Sessions of `http+sse` (2024-11-05, transports) are as old as their one stream. */
export type SessionTransport = 'streamable-http' | 'http+sse';

/** The client of a session that no `initialize` has come in yet, as is possible where a stream opens the session. */
export const NOT_AGREED: ClientInfo = Object.freeze({ revision: '', capabilities: Object.freeze({}) });

/** Whether `initialize` has agreed on a revision in a session. */
export function isAgreed({ client }: Pick<SessionRecord, 'client'>): boolean {
  return client.revision !== NOT_AGREED.revision;
}

/** A session as every node sees it. Records are never changed in place; a change makes a new one. */
export interface SessionRecord extends SessionKey {
  readonly transport: SessionTransport;
  /** `NOT_AGREED` until `initialize` has agreed on a revision. */
  readonly client: ClientInfo;
  readonly logLevel: LogLevel;
  /** The client has said that it is ready for requests of ours. */
  readonly initialized: boolean;
  /** Name of the stream that GET attaches to; unlike that of any other session. */
  readonly standaloneStream: string;
  /** The node that opened it; one of `http+sse` ends with it. */
  readonly node: string;
  /** Milliseconds since the Unix epoch, as are all times here. */
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly expiresAt: number;
}

/**
 * How many sessions may live at once under a name of the host's making: one server's, one tenant's, one caller's. What
 * stands before the first `/` is the same in all names that one session is counted under, so that a store can keep them
 * together.
 */
export interface SessionCap {
  readonly scope: string;
  readonly max: number;
}

/** A part of a list, and what to ask with for the part after it; undefined after the last. */
export interface SessionPage {
  readonly items: readonly SessionRecord[];
  readonly next: string | undefined;
}

/**
 * Where sessions live. A session exists from `create` until `delete` or until its time passes; whoever asks after that
 * is told that it does not exist, whether or not the row is gone yet.
 */
export interface SessionStore {
  /**
   * Stores a new session under every scope named, unless one of them is full: then gives the first that is, and stores
   * nothing. Counted and stored in one step; a session counts until it ends. The first scope is the session's server.
   */
  create(record: SessionRecord, caps: readonly [SessionCap, ...SessionCap[]]): MaybePromise<'created' | SessionCap>;
  get(key: SessionKey): MaybePromise<SessionRecord | undefined>;
  /** Reads a session and moves its end to `ttlMs` from now, in one step. */
  touch(key: SessionKey, ttlMs: number): MaybePromise<SessionRecord | undefined>;
  /** Stores whom `initialize` was agreed with, in a session that has agreed with nobody yet. */
  agree(key: SessionKey, client: ClientInfo): MaybePromise<'agreed' | 'already' | 'unknown'>;
  /** False when the session does not exist. */
  setLogLevel(key: SessionKey, level: LogLevel): MaybePromise<boolean>;
  /** False when the session does not exist. */
  markInitialized(key: SessionKey): MaybePromise<boolean>;
  /** Subscribes a session to a URI; twice is once. At most `max` URIs a session, counted and stored in one step. */
  subscribe(key: SessionKey, uri: string, max: number): MaybePromise<'subscribed' | 'full' | 'unknown'>;
  /** Ends a subscription, which need not exist. False when the session does not. */
  unsubscribe(key: SessionKey, uri: string): MaybePromise<boolean>;
  /** Living sessions of a server that are subscribed to exactly that URI. Subscriptions go with their session. */
  subscribers(server: string, uri: string): MaybePromise<readonly SessionRecord[]>;
  /** True for the one caller whose call removed a living session. */
  delete(key: SessionKey): MaybePromise<boolean>;
  /** Living sessions of a scope, oldest first, at most `limit` of them; `after` is the `next` of the page before. */
  list(scope: string, limit: number, after?: string): MaybePromise<SessionPage>;
}

/** An unambiguous string of a key, for maps. */
export function sessionKeyText({ server, owner, id }: SessionKey): string {
  return `${server.length}:${server}${owner.length}:${owner}${id}`;
}
