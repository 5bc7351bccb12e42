import type { Tool } from '../protocol/types.js';

/** One tool of a hosted server: what clients see, and what only the host knows. */
export interface CatalogueTool {
  readonly definition: Tool;
  /** Calls of one session run one at a time and get `context.state`. */
  readonly stateful: boolean;
  /** Longest run in milliseconds; over it the call ends as a tool error that names the limit. */
  readonly timeoutMs: number;
  /** How to run it; opaque to mcp-core, understood by the `ToolRunner` alone. */
  readonly runner: unknown;
}

/** How one hosted server is served. Durations are milliseconds. */
export interface ServerSettings {
  /** Offer sessions to clients of the 2025 revisions. Off: GET and DELETE answer 405. */
  readonly sessions: boolean;
  /** Serve the 2025 revisions at all. */
  readonly legacy: boolean;
  /** Sessions open at one time; one more `initialize` is refused. */
  readonly maxSessions: number;
  /** A session unused for this long is gone. */
  readonly sessionTtlMs: number;
  /** How long a stateful call may wait for its turn in its session. */
  readonly requestTimeoutMs: number;
  /** Requests of one session that may wait or run at once. */
  readonly pendingMax: number;
  /** Events kept for replay, per stream. */
  readonly replayMax: number;
  /** Silence on an open stream before a comment is sent; 0 turns it off. */
  readonly keepAliveMs: number;
  readonly pageSize: number;
}

/**
 * An immutable picture of one hosted server at one published revision. Everything derived from it
 * (list bytes, validators) may be cached on it for as long as it lives.
 */
export interface CatalogueSnapshot {
  /** Changes exactly when what clients see or how tools run changes. */
  readonly revision: string;
  readonly serverInfo: { readonly name: string; readonly version: string; readonly title?: string };
  readonly instructions?: string;
  readonly settings: ServerSettings;
  /** In the document's order; that order is the order of every list. */
  readonly tools: readonly CatalogueTool[];
}
