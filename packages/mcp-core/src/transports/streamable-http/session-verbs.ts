import type { HostContext } from '../../dispatch/host.js';
import { MCP_CODES } from '../../jsonrpc/errors.js';
import { callAt } from '../../ports/call-at.js';
import { namesModernRevision } from '../../protocol/revisions.js';
import { decodeEventId, encodeEventId } from '../../sessions/event-id.js';
import type { LiveSession } from '../../sessions/live-session.js';
import { acceptable, soleHeader } from '../../wire/http-headers.js';
import { negotiate } from '../../wire/revisions.js';
import type { HttpRequest, HttpResponder } from '../http-exchange.js';
import type { Leaving } from '../http-sse/http-sse.js';
import { answerClosing, answerError, answerSendingAway } from './answers.js';
import { ConnectionSink } from './connection-sink.js';
import type { EndpointServices } from './services.js';
import { findSession } from './session-lookup.js';

const { INVALID_REQUEST } = MCP_CODES;

/** GET and DELETE: what only sessions have. Stateless revisions, and servers without sessions, answer 405. */
export class SessionVerbs {
  constructor(
    private readonly services: EndpointServices,
    /** Standalone and resumed streams open on this node. */
    private readonly sinks: Set<Leaving>,
  ) {}

  /**
   * Opens the standalone stream, or with `Last-Event-ID` takes up any stream of the session. A stream that is over and
   * known to its end is 204, which tells every reader of event streams to stop (WHATWG HTML §9.2.3).
   */
  async get(request: HttpRequest, responder: HttpResponder, host: HostContext): Promise<void> {
    const client: { gone: boolean; sink?: ConnectionSink } = { gone: false };
    // Before anything is waited for: a client that leaves meanwhile could not be heard leaving later.
    responder.onDisconnect(() => {
      client.gone = true;
      client.sink?.gone();
    });
    const session = await this.#session(request, responder, host);
    if (session === undefined) return;
    if (!acceptable(request.headers.accept).sse) {
      const message = 'Not acceptable: a stream is text/event-stream';
      return answerError(responder, 406, { code: INVALID_REQUEST, message });
    }
    const lastEventId = soleHeader(request.headers, 'last-event-id');
    const position =
      lastEventId === undefined ? await this.#standalone(session) : await this.#resumed(session, lastEventId);
    if (client.gone) return;
    if (this.services.closing()) return answerClosing(responder);
    if (session.ended) return void findSession(responder, undefined, undefined);
    if (position === undefined) {
      const message = 'Invalid request: Last-Event-ID names no stream of this session, or one that is no longer kept';
      return answerError(responder, 400, { code: INVALID_REQUEST, message });
    }
    // A client that were shown the end once more would come back for more, again and again.
    if (position.over) return responder.empty(204);
    if (this.services.sendingAway()) return answerSendingAway(responder);
    const sink = new ConnectionSink(this.services, responder, host.snapshot.settings);
    client.sink = sink;
    this.sinks.add(sink);
    let forget = () => {};
    sink.onClosed = () => {
      forget();
      this.sinks.delete(sink);
    };
    if (negotiate(session.record.client.revision).primesStreams) sink.prime(encodeEventId(position));
    sink.show(session, position.stream, position.sequence, () => sink.end());
    // A connection is authorised as long as the credential it came with; what is over already must leave no timer.
    if (!sink.closed) forget = callAt(this.services.clock, host.expiresAt, () => sink.leave());
  }

  async delete(request: HttpRequest, responder: HttpResponder, host: HostContext): Promise<void> {
    const session = await this.#session(request, responder, host);
    if (session === undefined) return;
    if (await this.services.sessions.end(session.key)) responder.empty(204);
    else findSession(responder, undefined, undefined);
  }

  #session(
    request: HttpRequest,
    responder: HttpResponder,
    host: HostContext,
  ): LiveSession | undefined | Promise<LiveSession | undefined> {
    const { settings } = host.snapshot;
    const versionHeader = soleHeader(request.headers, 'mcp-protocol-version');
    if (!settings.sessions || !settings.legacy || namesModernRevision(versionHeader)) {
      const message = `Method not allowed: ${request.method} needs a session, and there is none here`;
      answerError(responder, 405, { code: INVALID_REQUEST, message }, undefined, { allow: 'POST' });
      return undefined;
    }
    const id = soleHeader(request.headers, 'mcp-session-id');
    if (id === undefined) {
      // A GET without it is how clients of 2024-11-05 begin.
      const hint =
        request.method === 'GET' ? '; clients of HTTP+SSE (2024-11-05) use this address with /sse after it' : '';
      const message = `Invalid request: Mcp-Session-Id is missing${hint}`;
      answerError(responder, 400, { code: INVALID_REQUEST, message });
      return undefined;
    }
    const found = this.services.sessions.find({ server: host.server, owner: host.owner, id }, settings);
    const settle = (session: LiveSession | undefined) => findSession(responder, session, versionHeader);
    return found instanceof Promise ? found.then(settle) : settle(found);
  }

  async #standalone(session: LiveSession) {
    const stream = session.record.standaloneStream;
    await session.openStream(stream);
    const sequence = await this.services.eventLog.last(session.key, stream);
    return sequence === undefined ? undefined : { stream, sequence, over: false };
  }

  /** Where the client stands; `over` when the stream has ended and the client has all of it. */
  async #resumed(session: LiveSession, lastEventId: string) {
    const position = decodeEventId(lastEventId);
    if (position === undefined) return undefined;
    // The standalone stream is there from the start, whether or not anything has been said on it.
    if (position.stream === session.record.standaloneStream) await session.openStream(position.stream);
    const rest = await this.services.eventLog.readAfter(session.key, position.stream, position.sequence);
    if (rest === undefined) return undefined;
    return { ...position, over: rest.ended && rest.events.length === 0 };
  }
}
