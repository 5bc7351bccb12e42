import type { HostContext } from '../../dispatch/host.js';
import { MCP_CODES } from '../../jsonrpc/errors.js';
import type { DispatcherListeners } from '../../jsonrpc/link.js';
import type { ServerSettings } from '../../ports/catalogue.js';
import type { ServerChange } from '../../ports/change-bus.js';
import type { MaybePromise, SessionKey } from '../../ports/session-store.js';
import { asciiUri } from '../../protocol/ascii-uri.js';
import { SessionAudience } from '../../sessions/session-audience.js';
import type { SessionViewPage } from '../../sessions/session-view.js';
import { Sessions } from '../../sessions/sessions.js';
import { Bursts } from '../../subscriptions/bursts.js';
import { type HolderFilter, isHeldBy, ListenStreams } from '../../subscriptions/listen-streams.js';
import type { HttpRequest, HttpResponder } from '../http-exchange.js';
import { HttpSse, type Leaving } from '../http-sse/http-sse.js';
import { answerClosing, answerError, RETRY_SOON, SHUTTING_DOWN, UNAVAILABLE } from './answers.js';
import type { Exchange } from './exchange.js';
import { NodeView } from './node-view.js';
import { PostHandler } from './post.js';
import type { EndpointPorts, EndpointServices } from './services.js';
import { SessionVerbs } from './session-verbs.js';
import { SettlingLog } from './settling-log.js';

/** How long answers may take to be logged and shown, once no call runs any more. */
const SHOWN_MS = 1_000;

interface Announcement {
  readonly server: string;
  readonly change: ServerChange;
  readonly settings: ServerSettings;
}

/**
 * Streamable HTTP for every revision and every hosted server of one node. The host has routed, checked Origin and Host,
 * identified the caller and bounded the body before it calls `handle`.
 */
export class McpEndpoint {
  readonly #services: EndpointServices;
  readonly #audience: SessionAudience;
  readonly #log: SettlingLog;
  readonly #posts: PostHandler;
  readonly #verbs: SessionVerbs;
  readonly #active = new Set<Exchange>();
  /** What this node runs and holds, in detail. */
  readonly view: NodeView;
  readonly #httpSse: HttpSse;
  readonly #sinks = new Set<Leaving>();
  /** What runs announce. A run that says the same a thousand times has it told once. */
  readonly #announced = new Bursts<Announcement>(({ server, change, settings }) => {
    this.changed(server, change, settings).catch((error) =>
      this.#services.logger.error({ server, error: describe(error) }, 'a change could not be announced'),
    );
  });
  #closing: Promise<void> | undefined;
  #sendingAway = false;

  constructor(ports: EndpointPorts) {
    const { logger } = ports;
    const listeners: DispatcherListeners = {
      onHandlerError: (error, method) => logger.error({ method, error: describe(error) }, 'a handler failed'),
      onError: (error) => logger.warn({ error: describe(error) }, 'a message could not be sent'),
      onProtocolError: (fault) => logger.info({ reason: fault.reason }, fault.message),
    };
    this.#log = new SettlingLog(ports.eventLog);
    const watched = { ...ports, eventLog: this.#log };
    this.#services = {
      ...watched,
      sessions: new Sessions(watched),
      listens: new ListenStreams(ports.changeBus, ports.clock),
      announce: (server, change, settings) =>
        this.#announced.add(`${server.length}:${server}${JSON.stringify(change)}`, { server, change, settings }),
      closing: () => this.#closing !== undefined,
      sendingAway: () => this.#sendingAway,
      listeners,
    };
    this.view = new NodeView(this.#services, this.#active);
    this.#audience = new SessionAudience(this.#services);
    this.#posts = new PostHandler(this.#services, this.#active);
    this.#verbs = new SessionVerbs(this.#services, this.#sinks);
    this.#httpSse = new HttpSse(this.#services, this.#posts.carrier, this.#sinks);
  }

  /**
   * Answers one HTTP request, within the call if nothing has to be waited for. The promise, if any, is settled when the
   * answer has begun or its work is under way; it does not reject.
   */
  handle(request: HttpRequest, responder: HttpResponder, host: HostContext): void | Promise<void> {
    return this.#guarded(request, responder, () => this.#route(request, responder, host));
  }

  /**
   * As `handle`, for a GET that opens a session of HTTP+SSE (2024-11-05, transports).
   * @param messagesUri the address that the client is told to post to, for the id of its session
   */
  handleSse(
    request: HttpRequest,
    responder: HttpResponder,
    host: HostContext,
    messagesUri: (sessionId: string) => string,
  ): void | Promise<void> {
    return this.#guarded(request, responder, () => this.#httpSse.open(request, responder, host, messagesUri));
  }

  /** As `handle`, for a POST to the address that such a session has named; `sessionId` is what it held. */
  handleSseMessage(
    request: HttpRequest,
    responder: HttpResponder,
    host: HostContext,
    sessionId: string | undefined,
  ): void | Promise<void> {
    return this.#guarded(request, responder, () => this.#httpSse.post(request, responder, host, sessionId));
  }

  /**
   * Something has happened that clients may be told. Called once for each change, on any one node: listen streams of
   * every node hear it, and it is logged for every living session it concerns, whoever holds its stream.
   */
  async changed(server: string, told: ServerChange, settings: ServerSettings): Promise<void> {
    const change = asHeard(told);
    this.#services.changeBus.publish(server, change);
    await this.#audience.publish(server, change, settings);
  }

  /** The part of `changed` for a change that every node learns of by itself: this node's listen streams hear it. */
  tellListens(server: string, change: ServerChange): void {
    this.#services.listens.tell(server, asHeard(change));
  }

  /**
   * The other part, once for all nodes: it is logged for every living session it concerns. Gives how many could not be
   * told.
   */
  tellSessions(server: string, change: ServerChange, settings: ServerSettings): Promise<number> {
    return this.#audience.publish(server, asHeard(change), settings);
  }

  /** Whether anybody listens to a server on this node. */
  listensTo(server: string): boolean {
    return this.#services.listens.hasAny(server);
  }

  /** Ends a session wherever it is held. False when there was none. */
  endSession(key: SessionKey): MaybePromise<boolean> {
    return this.#services.sessions.end(key);
  }

  /**
   * Ends everything of a server or an owner: its sessions wherever they are held, and this node's listen streams. For a
   * server that is gone, or a credential that no longer counts.
   * @param scope in which its sessions are counted: the server, or one of the `sessionCaps` they were opened under
   */
  async endAll(filter: HolderFilter, scope: string): Promise<void> {
    const { listens, sessions } = this.#services;
    listens.endAll(filter);
    for await (const records of this.#audience.pages(scope)) {
      const held = records.filter((record) => isHeldBy(record, filter));
      await Promise.all(held.map((record) => sessions.end(record)));
    }
  }

  /** Living sessions of a scope on all nodes, oldest first; counts of requests and streams are this node's. */
  listSessions(scope: string, limit: number, after?: string): Promise<SessionViewPage> {
    return this.#services.sessions.list(scope, limit, after);
  }

  /** What this node holds open. */
  get load(): { readonly inFlight: number; readonly streams: number; readonly listens: number } {
    const listens = this.#services.listens.size;
    return { inFlight: this.#active.size - listens, streams: this.#sinks.size, listens };
  }

  /** Sessions that this node has in memory: with something open on it, or served by it lately. */
  get sessionsHere(): number {
    return this.#services.sessions.size;
  }

  /**
   * Sends away whom another node can serve as well: listen streams end with their result, standalone and resumed streams
   * close with a hint to come back, and new ones are answered 503. Requests go on, and new ones are served.
   */
  sendAway(): void {
    this.#sendingAway = true;
    this.#announced.flush();
    this.#services.listens.endAll();
    for (const sink of [...this.#sinks]) sink.leave();
  }

  /** Ends what `sendAway` began: new streams are taken again. */
  takeStreams(): void {
    this.#sendingAway = false;
  }

  /**
   * Ends this node's part: streams are sent away as by `sendAway`, new requests refused with 503; running requests have
   * `graceMs` to finish and are answered -32603 after that. Resolves when their answers are logged and shown, or a second
   * later. May be called twice.
   */
  close({ graceMs }: { graceMs: number }): Promise<void> {
    this.#closing ??= this.#drain(graceMs);
    return this.#closing;
  }

  #guarded(request: HttpRequest, responder: HttpResponder, work: () => void | Promise<void>): void | Promise<void> {
    if (this.#closing !== undefined) return answerClosing(responder);
    const fault = { code: MCP_CODES.INTERNAL_ERROR, message: 'Internal error' };
    try {
      const handled = work();
      if (!(handled instanceof Promise)) return handled;
      // What is waited for here is a port's answer.
      return handled.catch((error) =>
        this.#failed(error, request, () => answerError(responder, 503, UNAVAILABLE, undefined, RETRY_SOON)),
      );
    } catch (error) {
      this.#failed(error, request, () => answerError(responder, 500, fault));
    }
  }

  #route(request: HttpRequest, responder: HttpResponder, host: HostContext): void | Promise<void> {
    if (request.method === 'POST') return this.#posts.handle(request, responder, host);
    if (request.method === 'GET') return this.#verbs.get(request, responder, host);
    if (request.method === 'DELETE') return this.#verbs.delete(request, responder, host);
    const { sessions, legacy } = host.snapshot.settings;
    const allow = sessions && legacy ? 'POST, GET, DELETE' : 'POST';
    const message = `Method not allowed: ${request.method}`;
    answerError(responder, 405, { code: MCP_CODES.INVALID_REQUEST, message }, undefined, { allow });
  }

  async #drain(graceMs: number): Promise<void> {
    this.sendAway();
    // The results of listens leave as soon as their promises have settled.
    await Promise.resolve();
    for (const exchange of [...this.#active]) exchange.release();
    if (this.#active.size > 0) await this.#waitForCalls(graceMs);
    for (const exchange of [...this.#active]) {
      exchange.fail(SHUTTING_DOWN);
      exchange.stopWork(SHUTTING_DOWN);
    }
    await this.#log.settled(this.#services.clock, SHOWN_MS);
    this.#services.sessions.close();
  }

  #waitForCalls(graceMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#services.clock.setTimer(graceMs, resolve);
      for (const exchange of this.#active) {
        const { onEnd } = exchange;
        exchange.onEnd = () => {
          onEnd?.();
          if (this.#active.size > 0) return;
          timer.cancel();
          resolve();
        };
      }
    });
  }

  #failed(error: unknown, request: HttpRequest, answer: () => void): void {
    this.#services.logger.error({ method: request.method, error: describe(error) }, 'a request could not be handled');
    try {
      answer();
    } catch {
      // An answer had begun already; there is nothing left to say on this connection.
    }
  }
}

/** URIs are compared as they stand in requests. */
function asHeard(change: ServerChange): ServerChange {
  return change.kind === 'resource' ? { ...change, uri: asciiUri(change.uri) } : change;
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
