import type { Prompt, Resource, ResourceTemplate, Tool } from '../protocol/types.js';

/** One thing a hosted server offers: what clients see, and what only the host knows. */
export interface CatalogueEntry<Definition> {
  readonly definition: Definition;
  /** Runs of one session take turns and get `context.state`. */
  readonly stateful: boolean;
  /** Longest run in milliseconds; over it the run is stopped, and the answer names the limit. */
  readonly timeoutMs: number;
  /** How to run it; opaque to mcp-core, understood by the host's runner alone. */
  readonly runner: unknown;
}

/** Values that may stand for an argument, by the argument's name; the source of `completion/complete`. */
export type Completions = Readonly<Record<string, readonly string[]>>;

export type CatalogueTool = CatalogueEntry<Tool> & {
  /** `job`: runs outside the request, where the host has `jobs`. Inline without it. */
  readonly execution?: 'inline' | 'job';
  /** May, must it run as a task (2025-11-25 and the extension of 2026-07-28)? It may not without it. */
  readonly task?: 'forbidden' | 'optional' | 'required';
};
export type CataloguePrompt = CatalogueEntry<Prompt> & { readonly completions?: Completions };
export type CatalogueResource = CatalogueEntry<Resource>;
export type CatalogueResourceTemplate = CatalogueEntry<ResourceTemplate> & { readonly completions?: Completions };

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
  /** In the document's order, as are all lists here; that order is the order of every list. */
  readonly tools: readonly CatalogueTool[];
  /** A capability is offered exactly when its list is there, be it empty. */
  readonly prompts?: readonly CataloguePrompt[];
  readonly resources?: readonly CatalogueResource[];
  /** Read by whatever URI they match; offered with `resources`. */
  readonly resourceTemplates?: readonly CatalogueResourceTemplate[];
}
