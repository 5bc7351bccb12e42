import type { HostContext } from '../../dispatch/host.js';
import { methodTable } from '../../dispatch/method-tables.js';
import { type PreparedServer, prepare } from '../../dispatch/prepared-server.js';
import type { RequestContext } from '../../dispatch/request-context.js';
import { type Incoming, parseMessage } from '../../jsonrpc/codec.js';
import { JsonRpcDispatcher } from '../../jsonrpc/dispatcher.js';
import { MCP_CODES } from '../../jsonrpc/errors.js';
import type { JsonRpcMessage, JsonRpcNotification, JsonRpcRequest } from '../../jsonrpc/messages.js';
import type { Transport } from '../../jsonrpc/transport.js';
import type { IdGenerator } from '../../ports/id-generator.js';
import type { Jobs } from '../../ports/jobs.js';
import type { MaybePromise } from '../../ports/session-store.js';
import { CLIENT_CAPABILITIES_KEY, PROTOCOL_VERSION_KEY } from '../../protocol/meta-keys.js';
import { ASSUMED_REVISION, MODERN_REVISIONS } from '../../protocol/revisions.js';
import type { LiveSession, RunningExchange } from '../../sessions/live-session.js';
import { questionIds } from '../../sessions/session-pending.js';
import { traceReceived } from '../../sessions/trace.js';
import { classifyEra } from '../../wire/classify.js';
import { type Acceptable, acceptable, isJsonMediaType, soleHeader } from '../../wire/http-headers.js';
import { climb, isFault } from '../../wire/rev-2026-07-28/ladder.js';
import { legacyRevision, negotiate } from '../../wire/revisions.js';
import type { HttpRequest, HttpResponder } from '../http-exchange.js';
import { answerClosing, answerError } from './answers.js';
import { BatchHandler, type Carrier } from './batch.js';
import type { Exchange } from './exchange.js';
import { ModernExchange } from './modern-exchange.js';
import { OpeningExchange } from './opening-exchange.js';
import type { EndpointServices } from './services.js';
import { SessionExchange } from './session-exchange.js';
import { findSession, unsupportedVersion } from './session-lookup.js';
import { tellJob } from './tell-job.js';

/** What one POST is about, once it is known to be one message. */
interface Post {
  readonly request: HttpRequest;
  readonly responder: HttpResponder;
  readonly host: HostContext;
  readonly server: PreparedServer;
  readonly accepts: Acceptable;
  readonly incoming: Extract<Incoming, { kind: 'request' | 'notification' | 'response' }>;
  readonly versionHeader: string | undefined;
}

const { INVALID_REQUEST } = MCP_CODES;

/** Takes POSTs: media types, JSON-RPC shape, era; then the ladder of that era; then a dispatcher of its own. */
export class PostHandler {
  readonly #batches: BatchHandler;
  /** Runs and hears messages of sessions, whatever way they came. */
  readonly carrier: Carrier = {
    run: (exchange, session, bytes) => this.#run(exchange, session, bytes),
    hear: (message, session, jobs, bytes) => this.#hear(message, session, jobs, bytes),
  };
  readonly #questionIds: IdGenerator;
  #calls = 0;

  constructor(
    private readonly services: EndpointServices,
    private readonly active: Set<Exchange>,
  ) {
    this.#questionIds = questionIds(services.nodeId, services.ids);
    this.#batches = new BatchHandler(services, this.carrier);
  }

  handle(request: HttpRequest, responder: HttpResponder, host: HostContext): void | Promise<void> {
    const { headers } = request;
    if (!isJsonMediaType(headers['content-type'])) {
      const message = 'Unsupported media type: the body must be application/json';
      return answerError(responder, 415, { code: INVALID_REQUEST, message });
    }
    const accepts = acceptable(headers.accept);
    if (!accepts.json && !accepts.sse) {
      const message = 'Not acceptable: answers are application/json or text/event-stream';
      return answerError(responder, 406, { code: INVALID_REQUEST, message });
    }
    const incoming = parseMessage(request.body, this.services.limits.jsonDepth);
    if (incoming.kind === 'fault') return answerError(responder, 400, incoming, incoming.id);
    const versionHeader = soleHeader(headers, 'mcp-protocol-version');
    const server = prepare(host.server, host.snapshot);
    if (incoming.kind === 'batch') {
      return this.#batches.handle({ request, responder, host, server, accepts, versionHeader }, incoming);
    }
    const post: Post = { request, responder, host, server, accepts, incoming, versionHeader };
    const era = classifyEra(incoming, versionHeader);
    if (era === 'modern') return this.#modern(post);
    if (era === 'legacy') return this.#legacy(post);
    const message = `Invalid params: _meta["${PROTOCOL_VERSION_KEY}"] and _meta["${CLIENT_CAPABILITIES_KEY}"] are required`;
    const id = incoming.kind === 'request' ? incoming.message.id : undefined;
    return answerError(responder, 400, { code: MCP_CODES.INVALID_PARAMS, message }, id);
  }

  #modern({ request, responder, host, server, accepts, incoming }: Post): void {
    if (incoming.kind === 'notification') return responder.empty(202);
    if (incoming.kind === 'response') {
      const message = 'Invalid request: this revision asks clients nothing that could be answered';
      return answerError(responder, 400, { code: INVALID_REQUEST, message });
    }
    const { message } = incoming;
    const envelope = climb(message, request.headers);
    if (isFault(envelope)) return answerError(responder, 400, envelope, message.id);
    const { services } = this;
    const exchange = new ModernExchange(services, responder, host, server, message, accepts, envelope, request.headers);
    if (!methodTable(envelope.revision).has(message.method)) exchange.refuseWith(404);
    this.#dispatch(exchange, message, undefined);
  }

  #legacy(post: Post): void | Promise<void> {
    const { responder, server, incoming } = post;
    const { settings } = server.snapshot;
    if (!settings.legacy) {
      const id = incoming.kind === 'request' ? incoming.message.id : undefined;
      const data = { supported: [...MODERN_REVISIONS], requested: requestedVersion(post) };
      const message = 'Unsupported protocol version: this server serves stateless revisions only';
      return answerError(responder, 400, { code: MCP_CODES.UNSUPPORTED_PROTOCOL_VERSION, message, data }, id);
    }
    const opens = incoming.kind === 'request' && incoming.message.method === 'initialize';
    const sessionId = soleHeader(post.request.headers, 'mcp-session-id');
    if (!settings.sessions) return this.#sessionless(post, opens);
    if (opens && sessionId === undefined) return this.#open(post);
    if (sessionId === undefined) {
      const message = 'Invalid request: Mcp-Session-Id is missing; open a session with initialize';
      const id = incoming.kind === 'request' ? incoming.message.id : undefined;
      return answerError(responder, 400, { code: INVALID_REQUEST, message }, id);
    }
    const found = this.services.sessions.find(
      { server: post.host.server, owner: post.host.owner, id: sessionId },
      settings,
    );
    if (found instanceof Promise) {
      return found.then((session) =>
        this.services.closing() ? answerClosing(responder) : this.#inSession(post, session, opens),
      );
    }
    return this.#inSession(post, found, opens);
  }

  #inSession(post: Post, found: LiveSession | undefined, opens: boolean): void | Promise<void> {
    // A client that starts over may still carry the id of a session that is gone.
    if (opens && found === undefined) return this.#open(post);
    const { responder, host, server, accepts, incoming, versionHeader } = post;
    const id = incoming.kind === 'request' ? incoming.message.id : undefined;
    const session = findSession(responder, found, opens ? undefined : versionHeader, id);
    if (session === undefined) return;
    const revision = negotiate(session.record.client.revision);
    if (incoming.kind !== 'request') {
      const heard = this.#hear(incoming.message, session, host.jobs, post.request.body?.length);
      // What was accepted must not be lost with this node.
      return heard instanceof Promise ? heard.then(() => responder.empty(202)) : responder.empty(202);
    }
    const exchange = new SessionExchange(
      this.services,
      responder,
      host,
      server,
      incoming.message,
      accepts,
      revision,
      session,
    );
    this.#run(exchange, session, post.request.body?.length);
  }

  #run(exchange: Exchange & RunningExchange, session: LiveSession, bytes?: number): void {
    traceReceived(this.services.tracer, session.key, exchange.request, bytes);
    if (this.#dispatch(exchange, exchange.request, session)) return;
    session.track(exchange);
    const { onEnd } = exchange;
    exchange.onEnd = () => {
      onEnd?.();
      session.untrack(exchange);
    };
  }

  /** A notification, or the answer to a question of ours: heard by a dispatcher that shares the session's tables. */
  #hear(message: JsonRpcMessage, session: LiveSession, jobs: Jobs | undefined, bytes?: number): MaybePromise<void> {
    traceReceived(this.services.tracer, session.key, message, bytes);
    const toJob = jobs && tellJob(jobs, message, session.key);
    if (toJob !== undefined) return toJob;
    const dispatcher = new JsonRpcDispatcher({
      side: 'server',
      transport: DEAF,
      dispatcherId: this.services.nodeId,
      clock: this.services.clock,
      meter: this.services.meter,
      listeners: this.services.listeners,
      inFlight: session.inFlight,
      pending: session.pending,
    });
    dispatcher.receive(message);
    if ('method' in message && message.method === 'notifications/initialized') return session.initialized();
  }

  #open(post: Post): void {
    this.#startOpening(post, negotiate(undefined).name);
  }

  /** Each request stands alone, in the revision its header names. */
  #sessionless(post: Post, opens: boolean): void {
    const { responder, incoming, versionHeader = ASSUMED_REVISION } = post;
    if (opens) return this.#open(post);
    if (legacyRevision(versionHeader) === undefined) {
      const id = incoming.kind === 'request' ? incoming.message.id : undefined;
      return answerError(responder, 400, { code: INVALID_REQUEST, message: unsupportedVersion(versionHeader) }, id);
    }
    if (incoming.kind !== 'request') return responder.empty(202);
    this.#startOpening(post, versionHeader);
  }

  #startOpening({ responder, host, server, accepts, incoming }: Post, revision: string): void {
    const message = incoming.message as JsonRpcRequest;
    const exchange = new OpeningExchange(this.services, responder, host, server, message, accepts, negotiate(revision));
    this.#dispatch(exchange, message, undefined);
  }

  /** Hands the request to a dispatcher of its own. True when its answer has left already. */
  #dispatch(exchange: Exchange, message: JsonRpcRequest, session: LiveSession | undefined): boolean {
    const { nodeId, clock, meter, listeners } = this.services;
    const dispatcher = new JsonRpcDispatcher<RequestContext>({
      side: 'server',
      transport: exchange,
      dispatcherId: nodeId,
      handlers: methodTable(exchange.revision),
      extra: exchange,
      inFlight: session?.inFlight,
      pending: session?.pending,
      idGenerator: this.#questionIds,
      clock,
      meter,
      listeners,
    });
    exchange.dispatcher = dispatcher;
    dispatcher.receive(message);
    if (exchange.ended) return true;
    exchange.callId = ++this.#calls;
    this.active.add(exchange);
    exchange.onEnd = () => void this.active.delete(exchange);
    exchange.responder.onDisconnect(() => exchange.disconnected());
    exchange.watch();
    return exchange.ended;
  }
}

/** Under dispatchers that only listen. */
const DEAF: Transport = {
  passive: true,
  start: () => Promise.resolve(),
  send: () => {},
  close: () => Promise.resolve(),
};

function requestedVersion({ incoming, versionHeader }: Post): string {
  const params = 'params' in incoming.message ? (incoming.message as JsonRpcNotification).params : undefined;
  const asked = params?.protocolVersion;
  return typeof asked === 'string' ? asked : (versionHeader ?? ASSUMED_REVISION);
}
