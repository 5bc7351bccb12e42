import { MCP_CODES, MCPError } from '../jsonrpc/errors.js';
import type { HandlerContext } from '../jsonrpc/handler-context.js';
import type { ServerChange } from '../ports/change-bus.js';
import type { Clock } from '../ports/clock.js';
import type { IdGenerator } from '../ports/id-generator.js';
import type { Logger } from '../ports/logger.js';
import type { MaybePromise } from '../ports/session-store.js';
import type { StateSealer } from '../ports/state-sealer.js';
import type { ClientInfo } from '../ports/tool-runner.js';
import type { LogLevel } from '../protocol/types.js';
import type { Revision } from '../wire/revision.js';
import type { HostContext, Refusal } from './host.js';
import type { JobDesk } from './job-desk.js';
import type { EndpointLimits } from './limits.js';
import type { PreparedServer, PreparedTool } from './prepared-server.js';

/** What a method needs of the session its request came in. */
export interface SessionAccess {
  readonly id: string;
  readonly logLevel: LogLevel;
  setLogLevel(level: LogLevel): MaybePromise<void>;
  /**
   * Waits for the calls before it, runs `job` with the stored state, and stores the state the holder has when the job's
   * promise resolves. A rejection, or a holder without state, leaves what was stored as it was.
   * @throws MCPError -32603 when the wait is longer than the server's `requestTimeoutMs`
   */
  exclusively<T>(signal: AbortSignal, job: (holder: StateHolder) => Promise<T>): Promise<T>;
  /** Subscribes to a resource; twice is once. `full`: the session has as many subscriptions as it may have. */
  subscribe(uri: string): MaybePromise<'subscribed' | 'full'>;
  unsubscribe(uri: string): MaybePromise<void>;
}

/** The state that a run is given and leaves. */
export interface StateHolder {
  state: Record<string, unknown> | undefined;
  /** Aborted when another call has the turn: what the run leaves is not stored. */
  lost?: AbortSignal | undefined;
}

/** What a listen stream was opened for. */
export interface ListenFilter {
  readonly toolsListChanged?: boolean;
  readonly promptsListChanged?: boolean;
  readonly resourcesListChanged?: boolean;
  readonly resourceSubscriptions?: readonly string[];
  /** Tasks of the extension of 2026-07-28. */
  readonly taskIds?: readonly string[];
}

/** One request on its way through dispatch: what it may know, and what it tells the exchange that carries it. */
export interface RequestContext {
  readonly revision: Revision;
  readonly host: HostContext;
  readonly server: PreparedServer;
  readonly client: ClientInfo;
  readonly session: SessionAccess | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: EndpointLimits;
  readonly ids: IdGenerator;
  readonly sealer: StateSealer;
  /** The least severe log message this request wants; undefined for none. */
  readonly logThreshold: LogLevel | undefined;
  /** Called first by every method. */
  begin(run: HandlerContext<RequestContext>): void;
  /** Called when the host needs time to answer `beforeCall`: what the request counts as is not known before. */
  awaits(verdict: Promise<unknown>): void;
  /** Called when `authorize` and `beforeCall` have let the request through. */
  admitted(): void;
  /** The HTTP status of the answer, if nothing of it has left yet. */
  refuseWith(status: number, headers?: Readonly<Record<string, string>>): void;
  /** Called with the promise of what runs for the request; it may go on after the request has been answered. */
  runs?(work: Promise<unknown>): void;
  /** For accounting. */
  toolCalled(name: string): void;
  toolFailed(): void;
  /** What is wrong between mirrored headers and arguments, where the revision mirrors any. */
  mirrorFault(tool: PreparedTool, args: Readonly<Record<string, unknown>>): string | undefined;
  /** Agrees on a revision and opens a session, where there are sessions. */
  open(revision: Revision, client: ClientInfo): MaybePromise<void>;
  /** Tells every client of the server that listens for it. */
  announce(change: ServerChange): void;
  /** Closes the connection under the request where the client can come back for the rest; elsewhere nothing happens. */
  closeStream(retryMs: number | undefined): void;
  /**
   * Waits until this request's client may be asked something live. A string says why it cannot be.
   * Of revisions that ask live.
   */
  askable(signal: AbortSignal): MaybePromise<string | undefined>;
  /** Where the host keeps jobs. */
  readonly desk?: JobDesk | undefined;
  /** Keeps the exchange open for change notifications until the client leaves or the server ends it. */
  listen(filter: ListenFilter, run: HandlerContext<RequestContext>): Promise<unknown>;
}

/** @throws MCPError that is answered with the refusal's status */
export function refuse(context: RequestContext, refusal: Refusal): never {
  context.refuseWith(refusal.status, refusal.headers);
  throw new MCPError(refusal.code, refusal.message, refusal.data);
}

export function invalidParams(message: string): MCPError {
  return new MCPError(MCP_CODES.INVALID_PARAMS, `Invalid params: ${message}`);
}

/**
 * Asks the host about rights, then about limits. A promise only if the host needs one; it rejects when the request was
 * cancelled meanwhile, so that nothing runs for it any more.
 */
export function admit(
  run: HandlerContext<RequestContext>,
  method: string,
  params: Readonly<Record<string, unknown>>,
  tool: string | undefined,
): Promise<void> | undefined {
  const context = run.extra;
  const { hooks } = context.host;
  const denied = hooks?.authorize?.(method, params);
  if (denied !== undefined) refuse(context, denied);
  const verdict = hooks?.beforeCall?.(method, tool, context);
  if (!(verdict instanceof Promise)) {
    settle(context, verdict);
    return undefined;
  }
  const admission = verdict.then((refusal) => {
    settle(context, refusal);
    run.signal.throwIfAborted();
  });
  context.awaits(verdict);
  return admission;
}

function settle(context: RequestContext, refusal: Refusal | undefined): void {
  if (refusal !== undefined) refuse(context, refusal);
  context.admitted();
}
