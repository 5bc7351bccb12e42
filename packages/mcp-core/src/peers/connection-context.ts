import type { HostContext } from '../dispatch/host.js';
import type { PreparedServer } from '../dispatch/prepared-server.js';
import type { ListenFilter, RequestContext } from '../dispatch/request-context.js';
import { MCP_CODES, MCPError } from '../jsonrpc/errors.js';
import type { HandlerContext } from '../jsonrpc/handler-context.js';
import type { Params } from '../jsonrpc/messages.js';
import type { RequestOptions } from '../jsonrpc/outgoing-call.js';
import type { ServerChange } from '../ports/change-bus.js';
import type { ClientInfo } from '../ports/tool-runner.js';
import type { LogLevel, ProgressToken } from '../protocol/types.js';
import type { Revision } from '../wire/revision.js';
import type { ConnectionSession } from './connection-session.js';
import type { ServerConnection } from './server-connection.js';
import type { ServerCore } from './server-core.js';

/** In whose name and words a request speaks. */
export interface Speaker {
  readonly revision: Revision;
  readonly client: ClientInfo;
  readonly session: ConnectionSession | undefined;
  readonly logThreshold: LogLevel | undefined;
}

/** One request on a connection, as its method sees it. What HTTP would do with its answer has no meaning here. */
export class ConnectionContext implements RequestContext {
  readonly host: HostContext;
  readonly server: PreparedServer;
  readonly revision: Revision;
  readonly client: ClientInfo;
  readonly session: ConnectionSession | undefined;
  readonly logThreshold: LogLevel | undefined;

  constructor(
    private readonly core: ServerCore,
    private readonly connection: ServerConnection,
    speaker: Speaker,
  ) {
    this.host = core.hostFor(connection.id);
    this.server = core.server;
    this.revision = speaker.revision;
    this.client = speaker.client;
    this.session = speaker.session;
    this.logThreshold = speaker.logThreshold;
  }

  get clock() {
    return this.core.clock;
  }

  get logger() {
    return this.core.logger;
  }

  get limits() {
    return this.core.limits;
  }

  get ids() {
    return this.core.ids;
  }

  get sealer() {
    return this.core.sealer;
  }

  begin(): void {
    const { pendingMax } = this.server.snapshot.settings;
    if (this.connection.running < pendingMax) return;
    throw new MCPError(MCP_CODES.INTERNAL_ERROR, `Session overloaded: ${pendingMax} requests are pending`);
  }

  awaits(): void {}
  admitted(): void {}
  refuseWith(): void {}
  toolCalled(): void {}
  toolFailed(): void {}
  closeStream(): void {}

  mirrorFault(): undefined {
    return undefined;
  }

  open(revision: Revision, client: ClientInfo): void {
    this.connection.opened(revision, client);
  }

  announce(change: ServerChange): void {
    this.core.announce(change);
  }

  async askable(signal: AbortSignal): Promise<string | undefined> {
    if (this.session === undefined) return 'it has no session';
    const { requestTimeoutMs } = this.server.snapshot.settings;
    const ready = await this.session.readiness.wait(signal, requestTimeoutMs);
    signal.throwIfAborted();
    return ready ? undefined : `it has not said notifications/initialized within ${requestTimeoutMs} ms`;
  }

  listen(filter: ListenFilter, run: HandlerContext<RequestContext>): Promise<unknown> {
    return this.core.listens.run({ context: this, ended: false }, run, filter, undefined);
  }
}

/** A request as its connection's dispatcher runs it, with the context that its method wants. */
export class ScopedRun implements HandlerContext<RequestContext> {
  constructor(
    private readonly run: HandlerContext<ServerConnection>,
    readonly extra: RequestContext,
  ) {}

  get id() {
    return this.run.id;
  }

  get method(): string {
    return this.run.method;
  }

  get signal(): AbortSignal {
    return this.run.signal;
  }

  sendProgress(token: ProgressToken, progress: number, total?: number, message?: string): boolean {
    return this.run.sendProgress(token, progress, total, message);
  }

  notify(method: string, params?: Params): Promise<void> {
    return this.run.notify(method, params);
  }

  request(method: string, params?: Params, options?: RequestOptions): Promise<unknown> {
    return this.run.request(method, params, options);
  }
}
