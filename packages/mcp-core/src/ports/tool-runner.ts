import type {
  ClientCapabilities,
  InputRequest,
  LogLevel,
  PromptOutcome,
  ResourceOutcome,
  ToolOutcome,
} from '../protocol/types.js';
import type { CataloguePrompt, CatalogueResource, CatalogueResourceTemplate, CatalogueTool } from './catalogue.js';
import type { ListKind } from './change-bus.js';

export type { PromptOutcome, ResourceOutcome, ToolOutcome };

/** Who is calling, as the host has verified it. `owner` in sessions is derived from it, never from client text. */
export interface Principal {
  readonly kind: string;
  readonly id: string;
  readonly scopes: readonly string[];
}

/** What a client says of itself: never a ground to let it do something. `revision` is the one this call is served in. */
export interface ClientInfo {
  readonly name?: string;
  readonly version?: string;
  readonly revision: string;
  readonly capabilities: ClientCapabilities;
}

/** What is known of every request that runs something. */
export interface RequestFacts {
  /** The JSON-RPC id and session it belongs to: for logs only, never for authority. */
  readonly requestId: string | number;
  readonly sessionId?: string;
  /** Foreign `_meta` keys of the request; protocol keys are removed. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** A tool call whose name, arguments and rights have been checked. */
export interface ToolCall extends RequestFacts {
  readonly tool: CatalogueTool;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** It runs as a job: under the limits of jobs, and what would detach simply goes on. */
  readonly asJob?: boolean;
}

/** A `prompts/get` whose name and required arguments have been checked. */
export interface PromptGet extends RequestFacts {
  readonly prompt: CataloguePrompt;
  readonly arguments: Readonly<Record<string, string>>;
}

/** A `resources/read` of something that is there: a resource, or a URI that fits a template. */
export interface ResourceRead extends RequestFacts {
  readonly resource: CatalogueResource | CatalogueResourceTemplate;
  readonly uri: string;
  /** What the template's variables stand for in this URI, decoded; none for a plain resource. */
  readonly variables: Readonly<Record<string, string>>;
}

/** How a question ended: with the client's bare result, or with the error that a client of a 2025 revision answered. */
export type InputAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } };

/** What earlier rounds of a request left for this run. Answers have the shape their question demands. */
export interface RoundInputs {
  /** Answers of all rounds so far, by the key of their question. */
  readonly answers: Readonly<Record<string, InputAnswer>>;
  /** Bare results of this round alone; undefined unless this run follows answers. */
  readonly responses: Readonly<Record<string, unknown>> | undefined;
  /** What the last `InputNeeded` gave; undefined in a first round. */
  readonly requestState: unknown;
  /** What the last `InputNeeded` kept: results of effects that must not be repeated. */
  readonly kept: Readonly<Record<string, unknown>>;
}

/**
 * Given instead of an outcome: the run has ended and begins again from the top when its questions are answered
 * (2026-07-28, multi round-trip requests; live requests to the client in earlier revisions). State that such a run
 * changed is not stored.
 */
export class InputNeeded {
  constructor(
    /** Questions by keys of the run's own choosing; none means "come again". */
    readonly requests: Readonly<Record<string, InputRequest>>,
    /** JSON value handed to the next run; sealed on its way through the client. */
    readonly requestState?: unknown,
    /** JSON values handed to every later run. */
    readonly kept: Readonly<Record<string, unknown>> = {},
  ) {}
}

/**
 * Given instead of an outcome by a tool that wants to go on as a job: the run has ended, and the job begins again from
 * the top with these results of effects. Only where `RunContext.detachable`.
 */
export class Detached {
  constructor(readonly kept: Readonly<Record<string, unknown>> = {}) {}
}

/** What a tenant's own code or backend failed with, in words for whoever called it. Of prompts and resources. */
export class RunFailure extends Error {}

/**
 * What a run may reach. Everything is lazy: a run that touches none of it pays for none of it.
 * Whatever is told returns at once, and is dropped when the client did not ask for it.
 */
export interface RunContext {
  /** Aborted on cancel, deadline, session end, shutdown, and disconnect where the revision says so. */
  readonly signal: AbortSignal;
  readonly client: ClientInfo;
  readonly principal: Principal;
  readonly inputs: RoundInputs;
  /** The caller would take a task for an answer: the run may give `Detached`. */
  readonly detachable?: boolean;
  /** Session state of what is `stateful`, in a session; undefined elsewhere. Replace or change it in place. */
  state: Record<string, unknown> | undefined;
  progress(done: number, total?: number, message?: string): void;
  log(level: LogLevel, data: unknown, logger?: string): void;
  /** Tells subscribers of this server's resource. */
  resourceUpdated(uri: string): void;
  /** Tells clients of this server that a list changed. */
  listChanged(list: ListKind): void;
  /**
   * Closes the connection of this request where the client can come back for the rest (2025-11-25, polling);
   * elsewhere nothing happens.
   * @param retryMs how long the client is asked to wait
   */
  closeStream(retryMs?: number): void;
}

/**
 * Runs one call. Answers without a promise when nothing has to be waited for.
 * Throws `MCPError` for a protocol error; anything else it throws is a fault of ours and becomes -32603.
 */
export interface ToolRunner {
  run(
    call: ToolCall,
    context: RunContext,
  ): ToolOutcome | InputNeeded | Detached | Promise<ToolOutcome | InputNeeded | Detached>;
}

/** Makes the messages of one prompt. Throws `RunFailure` or `MCPError`; anything else becomes -32603. */
export interface PromptRunner {
  get(request: PromptGet, context: RunContext): PromptOutcome | InputNeeded | Promise<PromptOutcome | InputNeeded>;
}

/** Reads one resource. Throws `RunFailure` or `MCPError`; anything else becomes -32603. */
export interface ResourceRunner {
  read(
    request: ResourceRead,
    context: RunContext,
  ): ResourceOutcome | InputNeeded | Promise<ResourceOutcome | InputNeeded>;
}
