import { changeNotification } from '../dispatch/change-notification.js';
import { methodTable } from '../dispatch/method-tables.js';
import { clientOf } from '../dispatch/methods/initialize.js';
import { JsonRpcDispatcher } from '../jsonrpc/dispatcher.js';
import { MCP_CODES, MCPError } from '../jsonrpc/errors.js';
import type { Handler, HandlerContext } from '../jsonrpc/handler-context.js';
import type { Params } from '../jsonrpc/messages.js';
import type { Transport } from '../jsonrpc/transport.js';
import type { ServerChange } from '../ports/change-bus.js';
import type { ClientInfo } from '../ports/tool-runner.js';
import { DEFAULT_LOG_LEVEL, passesLevel } from '../protocol/log-levels.js';
import { isJsonObject, PROTOCOL_VERSION_KEY } from '../protocol/meta-keys.js';
import { METHOD_NAMES } from '../protocol/methods.js';
import { envelopeOf, isFault } from '../wire/rev-2026-07-28/ladder.js';
import type { Revision } from '../wire/revision.js';
import { negotiate } from '../wire/revisions.js';
import { ConnectionContext, ScopedRun, type Speaker } from './connection-context.js';
import { ConnectionSession } from './connection-session.js';
import type { ServerCore } from './server-core.js';

/** Every method of every revision. Which of them a request may use, its revision's table says. */
const HANDLERS: ReadonlyMap<string, Handler<ServerConnection>> = new Map(
  METHOD_NAMES.map((name) => [name, (params, run) => run.extra.answer(params, run)]),
);

/** Served before `initialize`. */
const OPENING = new Set(['initialize', 'ping']);

/**
 * One client of an `McpServer`. It is in the revision that `initialize` has agreed on; requests of 2026-07-28, which
 * carry their revision themselves, are served beside.
 */
export class ServerConnection {
  /** Names this connection among those of its process. */
  readonly id: string;
  readonly #dispatcher: JsonRpcDispatcher<ServerConnection>;
  #opened:
    | { readonly revision: Revision; readonly client: ClientInfo; readonly session: ConnectionSession }
    | undefined;

  /** Made by `McpServer.connect`. */
  constructor(
    private readonly core: ServerCore,
    transport: Transport,
  ) {
    const { clock, meter, logger, ids } = core;
    this.id = ids.next();
    this.#dispatcher = new JsonRpcDispatcher<ServerConnection>({
      side: 'server',
      transport,
      dispatcherId: this.id,
      clock,
      meter,
      handlers: HANDLERS,
      extra: this,
      listeners: {
        onHandlerError: (error, method) => logger.error({ method, error: describe(error) }, 'a handler failed'),
        onError: (error) => logger.warn({ error: describe(error) }, 'a message could not be sent'),
        onProtocolError: (fault) => logger.info({ reason: fault.reason }, fault.message),
        onClose: () => core.ended(this),
      },
    });
    this.#dispatcher.onNotification('notifications/initialized', () => this.#opened?.session.readiness.set());
  }

  /** What the client says of itself; undefined before `initialize`. */
  get client(): ClientInfo | undefined {
    return this.#opened?.client;
  }

  /** Requests that are being answered. */
  get running(): number {
    return this.#dispatcher.running;
  }

  get closed(): boolean {
    return this.#dispatcher.closed;
  }

  start(): Promise<void> {
    return this.#dispatcher.start();
  }

  /** Asks whether the client is there. Rejects as `JsonRpcDispatcher.request` does. */
  async ping(options?: { readonly signal?: AbortSignal; readonly timeoutMs?: number }): Promise<void> {
    await this.#dispatcher.request('ping', undefined, options);
  }

  /** Ends the connection: what runs is aborted. May be called twice. */
  close(reason?: string): Promise<void> {
    return this.#dispatcher.close(reason);
  }

  /** `initialize` has agreed on a revision. */
  opened(revision: Revision, client: ClientInfo): void {
    const { clock, ids, server } = this.core;
    const session = new ConnectionSession(ids.next(), clock, server.snapshot.settings.requestTimeoutMs);
    this.#opened = { revision, client, session };
  }

  /** Answers one request by its revision's method table. */
  answer(params: Params, run: HandlerContext<ServerConnection>): unknown {
    const speaker = this.#speakerOf(params, run.method);
    const { revision } = speaker;
    const handler = methodTable(revision).get(run.method);
    if (handler === undefined) throw new MCPError(MCP_CODES.METHOD_NOT_FOUND, `Method not found: ${run.method}`);
    const fail = (error: unknown): never => {
      throw carried(revision, error);
    };
    try {
      const outcome = handler(params, new ScopedRun(run, new ConnectionContext(this.core, this, speaker)));
      return outcome instanceof Promise ? outcome.catch(fail) : outcome;
    } catch (error) {
      return fail(error);
    }
  }

  /** Tells the client of a change, if it may and wants to hear of it. */
  tell(change: ServerChange): void {
    const session = this.#opened?.session;
    if (session === undefined || this.closed || change.kind === 'task') return;
    if (change.kind === 'message' ? !passesLevel(change.level, session.logLevel) : !session.readiness.ready) return;
    if (change.kind === 'resource' && !session.subscribedTo(change.uri)) return;
    const { method, params } = changeNotification(change);
    void this.#dispatcher.notify(method, params);
  }

  #speakerOf({ _meta }: Params, method: string): Speaker {
    if (isJsonObject(_meta) && _meta[PROTOCOL_VERSION_KEY] !== undefined) return statelessSpeaker(_meta);
    if (this.#opened !== undefined) return { ...this.#opened, logThreshold: this.#opened.session.logLevel };
    if (!OPENING.has(method)) {
      throw new MCPError(MCP_CODES.INVALID_REQUEST, 'Invalid request: initialize comes first');
    }
    const revision = negotiate(undefined);
    const client = { revision: revision.name, capabilities: {} };
    return { revision, client, session: undefined, logThreshold: DEFAULT_LOG_LEVEL };
  }
}

function statelessSpeaker(meta: Record<string, unknown>): Speaker {
  const envelope = envelopeOf(meta);
  if (isFault(envelope)) throw new MCPError(envelope.code, envelope.message, envelope.data);
  const { revision, capabilities, clientInfo, logLevel } = envelope;
  const client = clientOf(clientInfo, revision.name, capabilities);
  return { revision, client, session: undefined, logThreshold: logLevel };
}

function carried(revision: Revision, error: unknown): unknown {
  if (!(error instanceof MCPError)) return error;
  const { code, message, data } = error;
  const told = revision.carriedError({ code, message, data });
  return told.code === code && told.message === message ? error : new MCPError(told.code, told.message, told.data);
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
