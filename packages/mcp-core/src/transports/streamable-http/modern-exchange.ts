import type { HostContext } from '../../dispatch/host.js';
import { clientOf } from '../../dispatch/methods/initialize.js';
import type { PreparedServer, PreparedTool } from '../../dispatch/prepared-server.js';
import { type ListenFilter, type RequestContext, refuse } from '../../dispatch/request-context.js';
import { MCP_CODES } from '../../jsonrpc/errors.js';
import type { HandlerContext } from '../../jsonrpc/handler-context.js';
import type { JsonRpcRequest } from '../../jsonrpc/messages.js';
import type { ClientInfo } from '../../ports/tool-runner.js';
import type { LogLevel } from '../../protocol/types.js';
import type { Acceptable, Headers } from '../../wire/http-headers.js';
import type { Envelope } from '../../wire/rev-2026-07-28/ladder.js';
import { headerMismatch } from '../../wire/rev-2026-07-28/param-headers.js';
import type { Revision } from '../../wire/revision.js';
import type { HttpResponder } from '../http-exchange.js';
import { RETRY_SOON, SHUTTING_DOWN } from './answers.js';
import { notServed } from './exchange.js';
import { PlainExchange } from './plain-exchange.js';
import type { EndpointServices } from './services.js';

/** A stateless request. Its stream has no ids and no second life: a client that leaves has cancelled it. */
export class ModernExchange extends PlainExchange {
  readonly revision: Revision;
  readonly session = undefined;
  #client: ClientInfo | undefined;

  constructor(
    services: EndpointServices,
    responder: HttpResponder,
    host: HostContext,
    server: PreparedServer,
    request: JsonRpcRequest,
    accepts: Acceptable,
    private readonly envelope: Envelope,
    private readonly requestHeaders: Headers,
  ) {
    super(services, responder, host, server, request, accepts);
    this.revision = envelope.revision;
  }

  get client(): ClientInfo {
    this.#client ??= clientOf(this.envelope.clientInfo, this.revision.name, this.envelope.capabilities);
    return this.#client;
  }

  get logThreshold(): LogLevel | undefined {
    return this.envelope.logLevel;
  }

  mirrorFault(tool: PreparedTool, args: Readonly<Record<string, unknown>>): string | undefined {
    return tool.headerRules.length === 0 ? undefined : headerMismatch(tool.headerRules, this.requestHeaders, args);
  }

  open(): never {
    throw notServed(this.request.method);
  }

  async listen(filter: ListenFilter, run: HandlerContext<RequestContext>): Promise<unknown> {
    if (!this.accepts.sse) {
      refuse(this, {
        status: 406,
        code: MCP_CODES.INVALID_REQUEST,
        message: 'Not acceptable: subscriptions/listen is answered with text/event-stream',
      });
    }
    const { listens } = this.services;
    const opening = listens.expect(this);
    try {
      const asked = this.host.hooks?.beforeListen?.(this);
      const granted = asked instanceof Promise ? await asked : asked;
      if (typeof granted === 'object') refuse(this, granted);
      if (asked instanceof Promise) this.#stillWanted(run, granted);
      // Not awaited: it is open from here on.
      return listens.run(opening, run, filter, granted);
    } finally {
      listens.forget(opening);
    }
  }

  /** Meanwhile the client may have left, or the endpoint begun to close, which ends the streams that are open by then. */
  #stillWanted(run: HandlerContext<RequestContext>, release: (() => void) | undefined): void {
    const closing = this.services.closing();
    if (!closing && !run.signal.aborted) return;
    release?.();
    run.signal.throwIfAborted();
    const message = SHUTTING_DOWN;
    refuse(this, { status: 503, code: MCP_CODES.INTERNAL_ERROR, message, headers: RETRY_SOON });
  }
}
