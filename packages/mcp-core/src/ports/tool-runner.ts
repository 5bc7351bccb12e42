import type { ClientCapabilities, LogLevel, ToolOutcome } from '../protocol/types.js';
import type { CatalogueTool } from './catalogue.js';

export type { ToolOutcome };

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

/** A tool call whose name, arguments and rights have been checked. */
export interface ToolCall {
  readonly tool: CatalogueTool;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The JSON-RPC id and session this call belongs to: for logs only, never for authority. */
  readonly requestId: string | number;
  readonly sessionId?: string;
  /** Foreign `_meta` keys of the request; protocol keys are removed. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/**
 * What a running tool may reach. Everything is lazy: a tool that touches none of it pays for none of it.
 * `progress` and `log` return at once; they are dropped when the client did not ask for them.
 */
export interface ToolContext {
  /** Aborted on cancel, deadline, session end, shutdown, and disconnect where the revision says so. */
  readonly signal: AbortSignal;
  readonly client: ClientInfo;
  readonly principal: Principal;
  /** Session state of a `stateful` tool in a session; undefined elsewhere. Replace or change it in place. */
  state: Record<string, unknown> | undefined;
  progress(done: number, total?: number, message?: string): void;
  log(level: LogLevel, data: unknown, logger?: string): void;
}

/**
 * Runs one call. Answers without a promise when nothing has to be waited for.
 * Throws `MCPError` for a protocol error; anything else it throws is a fault of ours and becomes -32603.
 */
export interface ToolRunner {
  run(call: ToolCall, context: ToolContext): ToolOutcome | Promise<ToolOutcome>;
}
