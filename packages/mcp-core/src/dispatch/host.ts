import type { CatalogueSnapshot } from '../ports/catalogue.js';
import type { Jobs } from '../ports/jobs.js';
import type { MaybePromise, SessionCap } from '../ports/session-store.js';
import type { ClientInfo, Principal, PromptRunner, ResourceRunner, ToolRunner } from '../ports/tool-runner.js';
import type { Era } from '../wire/revision.js';

/** A request turned away by the host: an HTTP status, and a JSON-RPC error as its body. */
export interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One request for the host's books: what was asked, by whom, and how it ended. */
export interface CallRecord {
  readonly method: string;
  readonly tool?: string;
  /** `refused`: turned away before any handler ran. `tool_error`: the tool ran and failed. */
  readonly status: 'ok' | 'tool_error' | 'error' | 'cancelled' | 'refused';
  readonly durationMs: number;
  readonly era: Era | 'http+sse';
  readonly revision: string;
  readonly client: ClientInfo;
  readonly principal: Principal;
  readonly sessionId?: string;
  /** The job that ran it: its host writes the job's own record, with its duration and end. */
  readonly jobId?: string;
  /** `beforeCall` was asked and let the request through. */
  readonly admitted: boolean;
}

/** Who asks, as far as the request says. */
export interface RequestCaller {
  readonly client: ClientInfo;
  readonly session: { readonly id: string } | undefined;
}

/** Where the host has a say. Each is optional; none may throw. */
export interface HostHooks {
  /** May this principal do this? Asked once the method, and for a tool call the tool, are known to exist. */
  authorize?(method: string, params: Readonly<Record<string, unknown>>): Refusal | undefined;
  /** Limits. Asked right after `authorize`; every request it lets through is told to `afterCall`. */
  beforeCall?(method: string, tool: string | undefined, caller: RequestCaller): MaybePromise<Refusal | undefined>;
  /** Told once for each request that reached a method table, when its answer left or it ended without one. */
  afterCall?(record: CallRecord): void;
  /** The answer to an `initialize` that one of the session caps turned away; without it, a plain 429. */
  sessionsFull?(cap: SessionCap): Refusal;
  /** Takes one more listen stream, and returns what gives it back; or refuses. */
  beforeListen?(caller: RequestCaller): MaybePromise<Refusal | (() => void)>;
}

/** Everything the host knows about one HTTP exchange: which hosted server, which caller. */
export interface HostContext {
  /** Opaque key of the hosted server. Sessions, cursors and changes belong to it. */
  readonly server: string;
  readonly snapshot: CatalogueSnapshot;
  /** Opaque key of whoever may use the sessions opened here. */
  readonly owner: string;
  readonly principal: Principal;
  readonly runner: ToolRunner;
  /** Needed where the snapshot has prompts, or resources. */
  readonly promptRunner?: PromptRunner;
  readonly resourceRunner?: ResourceRunner;
  /** How many sessions there may be beside the server's own cap, under names of the host's making. */
  readonly sessionCaps?: readonly SessionCap[];
  readonly hooks?: HostHooks;
  /** Without it every tool runs inline and no client is offered tasks. */
  readonly jobs?: Jobs;
  /** When the credential ends, in milliseconds since the epoch; streams end with it. */
  readonly expiresAt?: number;
}
