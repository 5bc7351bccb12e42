import type { HostContext, Refusal } from '../../dispatch/host.js';
import type { PreparedServer } from '../../dispatch/prepared-server.js';
import { refuse } from '../../dispatch/request-context.js';
import { MCP_CODES } from '../../jsonrpc/errors.js';
import type { JsonRpcRequest } from '../../jsonrpc/messages.js';
import type { MaybePromise, SessionCap, SessionKey } from '../../ports/session-store.js';
import type { ClientInfo } from '../../ports/tool-runner.js';
import { DEFAULT_LOG_LEVEL } from '../../protocol/log-levels.js';
import type { LiveSession } from '../../sessions/live-session.js';
import { traceReceived } from '../../sessions/trace.js';
import type { Acceptable } from '../../wire/http-headers.js';
import type { Revision } from '../../wire/revision.js';
import type { HttpResponder } from '../http-exchange.js';
import { RETRY_SOON, UNAVAILABLE } from './answers.js';
import { notServed } from './exchange.js';
import { PlainExchange } from './plain-exchange.js';
import type { EndpointServices } from './services.js';

/** How long a client is asked to wait when a server has all the sessions it may have. */
const RETRY_AFTER_SECONDS = '30';

/** The answer to who would open one session more than a cap allows. */
export function sessionsFull(host: HostContext, cap: SessionCap): Refusal {
  return (
    host.hooks?.sessionsFull?.(cap) ?? {
      status: 429,
      code: MCP_CODES.INTERNAL_ERROR,
      message: `There are as many sessions as there may be, which is ${cap.max}; try again later`,
      headers: { 'retry-after': RETRY_AFTER_SECONDS },
    }
  );
}

/**
 * A request of the session era without a session: `initialize`, and every request to a server that offers no sessions.
 */
export class OpeningExchange extends PlainExchange {
  readonly session = undefined;
  readonly logThreshold = DEFAULT_LOG_LEVEL;
  client: ClientInfo;
  #session: SessionKey | undefined;

  constructor(
    services: EndpointServices,
    responder: HttpResponder,
    host: HostContext,
    server: PreparedServer,
    request: JsonRpcRequest,
    accepts: Acceptable,
    public revision: Revision,
  ) {
    super(services, responder, host, server, request, accepts);
    this.client = { revision: revision.name, capabilities: {} };
  }

  protected override get tracedAs(): SessionKey | undefined {
    return this.#session;
  }

  mirrorFault(): undefined {
    return undefined;
  }

  listen(): never {
    throw notServed(this.request.method);
  }

  open(revision: Revision, client: ClientInfo): MaybePromise<void> {
    this.revision = revision;
    this.client = client;
    const { settings } = this.server.snapshot;
    if (!settings.sessions) return undefined;
    const opened = this.services.sessions.open(this.host, settings, client);
    if (!(opened instanceof Promise)) return this.#opened(opened);
    return opened.then(
      (session) => this.#opened(session),
      (error) => this.#failed(error),
    );
  }

  #failed(error: unknown): never {
    this.logger.error({ error: String(error) }, 'session could not be stored');
    refuse(this, { status: 503, ...UNAVAILABLE, headers: RETRY_SOON });
  }

  #opened(opened: LiveSession | SessionCap): void {
    if ('max' in opened) refuse(this, sessionsFull(this.host, opened));
    this.#session = opened.key;
    traceReceived(this.services.tracer, opened.key, this.request);
    this.headers = { ...this.headers, 'mcp-session-id': opened.id };
  }
}
