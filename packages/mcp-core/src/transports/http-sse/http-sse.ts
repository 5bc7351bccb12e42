import type { HostContext } from '../../dispatch/host.js';
import { prepare } from '../../dispatch/prepared-server.js';
import { type Incoming, parseMessage } from '../../jsonrpc/codec.js';
import { MCP_CODES } from '../../jsonrpc/errors.js';
import { callAt } from '../../ports/call-at.js';
import type { ServerSettings } from '../../ports/catalogue.js';
import type { MaybePromise } from '../../ports/session-store.js';
import { isAgreed, NOT_AGREED } from '../../ports/session-store.js';
import type { LiveSession } from '../../sessions/live-session.js';
import { acceptable, isJsonMediaType, soleHeader } from '../../wire/http-headers.js';
import type { HttpRequest, HttpResponder } from '../http-exchange.js';
import { answerClosing, answerError, answerSendingAway } from '../streamable-http/answers.js';
import type { Carrier } from '../streamable-http/batch.js';
import { sessionsFull } from '../streamable-http/opening-exchange.js';
import type { EndpointServices } from '../streamable-http/services.js';
import { findSession } from '../streamable-http/session-lookup.js';
import { HttpSseExchange } from './http-sse-exchange.js';
import { SessionStream } from './session-stream.js';

const { INVALID_REQUEST } = MCP_CODES;

/** A stream that the server may send away. */
export interface Leaving {
  leave(): void;
}

interface MessagePost {
  readonly responder: HttpResponder;
  readonly host: HostContext;
  readonly incoming: Extract<Incoming, { kind: 'request' | 'notification' | 'response' }>;
  readonly bytes: number | undefined;
  readonly versionHeader: string | undefined;
}

/**
 * The transport of 2024-11-05: a stream that is the session, and an address for the client's messages, which any node
 * takes. Revisions are negotiated as elsewhere; batches, event ids and resuming there are none.
 */
export class HttpSse {
  constructor(
    private readonly services: EndpointServices,
    private readonly carrier: Carrier,
    /** Streams open on this node. */
    private readonly sinks: Set<Leaving>,
  ) {}

  /**
   * Opens a session and its stream.
   * @param messagesUri the address for messages of a session of that id, relative to this request's or of its origin
   */
  async open(
    request: HttpRequest,
    responder: HttpResponder,
    host: HostContext,
    messagesUri: (sessionId: string) => string,
  ): Promise<void> {
    const client: { gone: boolean; stream?: SessionStream } = { gone: false };
    // Before anything is waited for: a client that leaves meanwhile could not be heard leaving later.
    responder.onDisconnect(() => {
      client.gone = true;
      client.stream?.gone();
    });
    const { settings } = host.snapshot;
    if (!isServed(responder, settings)) return;
    if (!acceptable(request.headers.accept).sse) {
      const message = 'Not acceptable: a stream is text/event-stream';
      return answerError(responder, 406, { code: INVALID_REQUEST, message });
    }
    if (this.services.sendingAway()) return answerSendingAway(responder);
    const { sessions } = this.services;
    const opened = await sessions.open(host, settings, NOT_AGREED, 'http+sse');
    if ('max' in opened) {
      const refusal = sessionsFull(host, opened);
      return answerError(responder, refusal.status, refusal, undefined, refusal.headers);
    }
    try {
      await opened.openStream(opened.record.standaloneStream);
    } catch (error) {
      await sessions.end(opened.key);
      throw error;
    }
    if (client.gone || opened.ended || this.services.closing() || this.services.sendingAway()) {
      await sessions.end(opened.key);
      if (client.gone) return;
      return opened.ended || this.services.closing() ? answerClosing(responder) : answerSendingAway(responder);
    }
    client.stream = this.#show(responder, host, opened, messagesUri(opened.id));
  }

  /** Takes one message for a session; its answer comes on the session's stream. */
  post(
    request: HttpRequest,
    responder: HttpResponder,
    host: HostContext,
    sessionId: string | undefined,
  ): void | Promise<void> {
    const { settings } = host.snapshot;
    if (!isServed(responder, settings)) return;
    if (!isJsonMediaType(request.headers['content-type'])) {
      const message = 'Unsupported media type: the body must be application/json';
      return answerError(responder, 415, { code: INVALID_REQUEST, message });
    }
    const incoming = parseMessage(request.body, this.services.limits.jsonDepth);
    if (incoming.kind === 'fault') return answerError(responder, 400, incoming, incoming.id);
    if (incoming.kind === 'batch') return refuse(responder, 'batches are not accepted over HTTP+SSE');
    if (sessionId === undefined) return refuse(responder, 'sessionId is missing; post to the address the stream named');
    const versionHeader = soleHeader(request.headers, 'mcp-protocol-version');
    const post: MessagePost = { responder, host, incoming, bytes: request.body?.length, versionHeader };
    const key = { server: host.server, owner: host.owner, id: sessionId };
    const found = this.services.sessions.findOnStream(key, settings);
    if (!(found instanceof Promise)) return this.#inSession(post, found);
    return found.then((session) =>
      this.services.closing() ? answerClosing(responder) : this.#inSession(post, session),
    );
  }

  #show(responder: HttpResponder, host: HostContext, session: LiveSession, messagesUri: string): SessionStream {
    const stream = new SessionStream(this.services, responder, host.snapshot.settings, session);
    let forget = () => {};
    this.sinks.add(stream);
    stream.onClosed = () => {
      forget();
      this.sinks.delete(stream);
    };
    stream.begin(messagesUri);
    // A connection is authorised as long as the credential it came with; what is over already must leave no timer.
    if (!stream.closed) forget = callAt(this.services.clock, host.expiresAt, () => stream.end());
    return stream;
  }

  #inSession(
    { responder, host, incoming, bytes, versionHeader }: MessagePost,
    found: LiveSession | undefined,
  ): MaybePromise<void> {
    const { message } = incoming;
    const method = 'method' in message ? message.method : undefined;
    const id = incoming.kind === 'request' ? incoming.message.id : undefined;
    const session = findSession(responder, found, method === 'initialize' ? undefined : versionHeader, id);
    if (session === undefined) return;
    if (incoming.kind !== 'request') {
      const heard = this.carrier.hear(message, session, host.jobs, bytes);
      // What was accepted must not be lost with this node.
      return heard instanceof Promise ? heard.then(() => responder.empty(202)) : responder.empty(202);
    }
    if (!isAgreed(session.record) && method !== 'initialize' && method !== 'ping') {
      return refuse(responder, 'this session is not initialized; begin with initialize', id);
    }
    const server = prepare(host.server, host.snapshot);
    const exchange = new HttpSseExchange(this.services, responder, host, server, incoming.message, session);
    this.carrier.run(exchange, session, bytes);
  }
}

/** Whether the server has sessions at all; answers 404 if not. */
function isServed(responder: HttpResponder, { sessions, legacy }: ServerSettings): boolean {
  if (sessions && legacy) return true;
  const message = 'HTTP+SSE needs sessions, and there are none here: use the MCP endpoint';
  answerError(responder, 404, { code: INVALID_REQUEST, message });
  return false;
}

function refuse(responder: HttpResponder, why: string, id?: string | number): void {
  answerError(responder, 400, { code: INVALID_REQUEST, message: `Invalid request: ${why}` }, id);
}
