import type { HostContext } from '../../dispatch/host.js';
import type { Relayed } from '../../dispatch/job-desk.js';
import type { PreparedServer } from '../../dispatch/prepared-server.js';
import type { RequestContext } from '../../dispatch/request-context.js';
import { MCP_CODES, MCPError } from '../../jsonrpc/errors.js';
import type { HandlerContext } from '../../jsonrpc/handler-context.js';
import {
  errorMessage,
  type JsonRpcRequest,
  notificationMessage,
  type RequestId,
  requestKey,
} from '../../jsonrpc/messages.js';
import type { ReplyStream, Submitted } from '../../ports/jobs.js';
import type { SessionKey } from '../../ports/session-store.js';
import type { ClientInfo } from '../../ports/tool-runner.js';
import type { LogLevel } from '../../protocol/types.js';
import { encodeEventId } from '../../sessions/event-id.js';
import type { LiveSession, RunningExchange } from '../../sessions/live-session.js';
import type { SessionPending } from '../../sessions/session-pending.js';
import type { Acceptable } from '../../wire/http-headers.js';
import type { Revision } from '../../wire/revision.js';
import type { HttpResponder } from '../http-exchange.js';
import { ConnectionSink } from './connection-sink.js';
import { Exchange, notServed } from './exchange.js';
import { cancelOn, GONE, submitFor } from './relay.js';
import type { EndpointServices } from './services.js';
import { type RelayedConnection, SessionRelay } from './session-relay.js';

/** The longest that a client may be asked to stay away. */
const MAX_RETRY_MS = 60_000;

export const UNSHOWN = 'The request was stopped: its stream cannot be kept at the moment';

/**
 * A request in a session. Once it has something to say before its answer, it says it into the session's event log, and
 * the connection only shows that stream: the client may leave and come back for the rest.
 */
export class SessionExchange extends Exchange implements RunningExchange {
  #stream: string | undefined;
  #sink: ConnectionSink | undefined;
  #gone = false;
  /** The job's stream is shown on this connection; ends that, and the exchange with it. */
  #letGo: (() => void) | undefined;
  /** The job's stream, where a job answers: it is this request's stream as well. */
  #relay: SessionRelay | undefined;
  /** Ends that the connection shows it. */
  #detach: (() => void) | undefined;
  #released = false;

  constructor(
    services: EndpointServices,
    responder: HttpResponder,
    host: HostContext,
    server: PreparedServer,
    request: JsonRpcRequest,
    accepts: Acceptable,
    readonly revision: Revision,
    readonly session: LiveSession,
  ) {
    super(services, responder, host, server, request, accepts);
  }

  protected override get tracedAs(): SessionKey {
    return this.session.key;
  }

  get client(): ClientInfo {
    return this.session.record.client;
  }

  get logThreshold(): LogLevel {
    return this.session.logLevel;
  }

  override begin(run: HandlerContext<RequestContext>): void {
    super.begin(run);
    const { pendingMax } = this.server.snapshot.settings;
    if (this.session.running >= pendingMax) {
      throw new MCPError(MCP_CODES.INTERNAL_ERROR, `Session overloaded: ${pendingMax} requests are pending`);
    }
  }

  mirrorFault(): undefined {
    return undefined;
  }

  open(): never {
    throw notServed(this.request.method);
  }

  listen(): never {
    throw notServed(this.request.method);
  }

  /** The client left before it was given anything that it could resume. */
  protected get unheard(): boolean {
    return this.#gone && this.#stream === undefined;
  }

  get notices(): ReplyStream {
    return this.session.notices;
  }

  get unaskable(): string | undefined {
    return this.accepts.sse ? undefined : 'it does not accept text/event-stream';
  }

  async askable(signal: AbortSignal): Promise<string | undefined> {
    if (this.unaskable !== undefined) return this.unaskable;
    const { requestTimeoutMs } = this.server.snapshot.settings;
    const ready = await this.session.whenInitialized(signal, requestTimeoutMs);
    signal.throwIfAborted();
    if (!ready) return `it has not said notifications/initialized within ${requestTimeoutMs} ms`;
    return this.unheard ? 'it has closed the connection' : undefined;
  }

  /** Only clients of 2025-11-25 know that a connection may close before its stream is over. */
  override closeStream(retryMs: number | undefined): void {
    if (!this.revision.primesStreams || !this.accepts.sse || this.ended) return;
    this.openStream();
    if (this.#stream !== undefined) this.session.leaveStream(this.#stream, soundRetry(retryMs));
  }

  /** What is still asked is taken back: nobody will be there for the answer. */
  override fail(message: string): void {
    takeBack(this, this.asked, this.session.pending, message);
    super.fail(message);
  }

  disconnected(): void {
    this.#gone = true;
    this.#sink?.gone();
    this.#letGo?.();
  }

  /** The job speaks on a stream of the session, which any node can show: this connection is only the first to do so. */
  override async relay(
    submit: (reply: ReplyStream) => Promise<Submitted>,
    signal: AbortSignal,
    _keyed: boolean,
  ): Promise<Relayed> {
    const { session } = this;
    const call = this.relayed(submit, signal, () => this.#released);
    const reply: ReplyStream = { key: session.key, stream: session.newStream(), answers: true };
    await session.openStream(reply.stream);
    const shown = new Promise<void>((resolve) => {
      this.#letGo = () => {
        this.#letGo = undefined;
        // What is said from here on is for whoever takes the stream up.
        this.endUnread('ok');
        resolve();
      };
    });
    const relay = new SessionRelay(reply, this.#connectionFor(reply));
    this.#relay = relay;
    const detach = await this.#attached(reply, relay);
    // The stream is nobody's then, and what is to be said is this request's own.
    const dismiss = () => {
      this.#letGo = undefined;
      this.#relay = undefined;
      if (this.#stream !== undefined) return;
      detach?.();
      session.endStream(reply.stream);
    };
    try {
      const { job, joined } = await submitFor(call, reply, dismiss);
      const primed = this.revision.primesStreams && this.accepts.sse;
      if (joined) {
        if (primed) this.openStream();
        return { kind: 'joined', job };
      }
      // Not before: of a job that is stored some process brings the end, of a stream alone nobody would.
      if (primed) relay.begin();
      const stop = cancelOn(call, job.id, signal);
      await shown;
      stop();
      return { kind: 'shown' };
    } finally {
      if (this.#stream === undefined || this.ended) detach?.();
    }
  }

  override release(): boolean {
    if (this.#letGo === undefined || this.#stream === undefined) return false;
    this.#released = true;
    this.session.leaveStream(this.#stream, undefined);
    return true;
  }

  /** @throws MCPError when the log cannot show the stream: nobody would read what the job says */
  async #attached({ stream }: ReplyStream, relay: SessionRelay): Promise<() => void> {
    let fault: unknown = 'there is no such stream';
    const attached = async () => this.session.attach(stream, 0, relay);
    const detach = await attached().catch((error) => {
      fault = error;
      return undefined;
    });
    if (detach === undefined) {
      this.logger.error({ session: this.session.id, error: String(fault) }, 'stream could not be attached');
      this.#letGo = undefined;
      this.#relay = undefined;
      if (this.#sink !== undefined) this.#unshown(this.#sink);
      throw new MCPError(MCP_CODES.INTERNAL_ERROR, UNSHOWN);
    }
    this.#detach = detach;
    this.#sink?.attached(this.session.id, detach);
    return detach;
  }

  #connectionFor({ key, stream }: ReplyStream): RelayedConnection {
    return {
      open: () => {
        // What comes before the answer has no place in one that is not a stream.
        if (this.#gone || this.ended || !this.accepts.sse) return undefined;
        const sink = new ConnectionSink(this.services, this.responder, this.server.snapshot.settings, this.headers);
        sink.onClosed = () => this.#letGo?.();
        if (this.#detach !== undefined) sink.attached(key.id, this.#detach);
        this.#stream = stream;
        this.#sink = sink;
        if (this.revision.primesStreams) sink.prime(encodeEventId({ stream, sequence: 0 }));
        return sink;
      },
      json: (message) => {
        const { json, sseFirst } = this.accepts;
        if (!json || sseFirst || this.ended || this.#stream !== undefined) return false;
        if (!this.#gone) this.responder.json(this.status, message, this.headers);
        else this.logger.info({ session: key.id }, 'answer unread: the client left');
        return true;
      },
      over: () => this.#letGo?.(),
      lost: () => {
        this.#relay = undefined;
        if (!this.#gone) this.fail(GONE);
        this.#letGo?.();
      },
    };
  }

  sessionEnded(): void {
    const words = 'The session has ended';
    if (this.#stream === undefined) this.fail(words);
    // The log goes with the session. A client that only saw its stream end would wait for the answer until its own deadline.
    else if (this.#sink?.closed === false) this.#sayLast(this.#sink, words);
    this.stopWork(words);
  }

  protected openStream(): void {
    if (this.#relay !== undefined) this.#relay.begin();
    else this.#stream ??= this.#open();
  }

  protected stream(json: string, awaited: boolean): void {
    this.openStream();
    if (this.#stream === undefined) return;
    if (awaited) this.session.answer(this.#stream, json);
    else this.session.append(this.#stream, json);
  }

  protected streamLast(json: string): boolean {
    const { json: takesJson, sseFirst } = this.accepts;
    if (this.#stream === undefined && ((takesJson && !sseFirst) || this.status !== 200)) {
      if (!this.#gone) return false;
      this.logger.info({ session: this.session.id, method: this.request.method }, 'answer unread: the client left');
      return true;
    }
    this.openStream();
    if (this.#stream === undefined) return this.#gone;
    this.session.finish(this.#stream, json);
    return true;
  }

  protected streamEnd(): boolean {
    if (this.#stream === undefined) return this.#gone;
    this.session.endStream(this.#stream);
    return true;
  }

  /** A client that left before any event id reached it can ask for nothing, so nothing is kept for it. */
  #open(): string | undefined {
    if (this.#gone) return undefined;
    const stream = this.session.newStream();
    const sink = new ConnectionSink(this.services, this.responder, this.server.snapshot.settings, this.headers);
    this.#sink = sink;
    if (this.revision.primesStreams) sink.prime(encodeEventId({ stream, sequence: 0 }));
    const opened = this.session.openStream(stream, [this.request.id]);
    if (opened instanceof Promise) {
      opened.catch((error) => this.logger.error({ stream, error: String(error) }, 'stream could not be opened'));
    }
    sink.show(this.session, stream, 0, () => this.#unshown(sink));
    return stream;
  }

  /** The log cannot show what the call says. A client that is still there learns it now instead of waiting for nothing. */
  #unshown(sink: ConnectionSink): void {
    if (this.ended || sink.closed) return sink.end();
    this.#sayLast(sink, UNSHOWN);
    this.endUnread('error');
    this.stopWork(UNSHOWN);
  }

  /** An error that no log keeps, to the client that is still there. */
  #sayLast(sink: ConnectionSink, message: string): void {
    sink.last(JSON.stringify(errorMessage(this.request.id, MCP_CODES.INTERNAL_ERROR, message)));
  }
}

/** Takes back those questions of a request that nobody has answered. */
export function takeBack(
  exchange: Exchange,
  asked: readonly RequestId[] = [],
  pending: SessionPending,
  reason: string,
): void {
  for (const requestId of asked) {
    if (!pending.waits(requestKey(requestId))) continue;
    void exchange.send(notificationMessage('notifications/cancelled', { requestId, reason }));
  }
}

/** A tenant's code chooses it; what is no time a client could wait is left to the usual one. */
function soundRetry(ms: number | undefined): number | undefined {
  return ms !== undefined && Number.isFinite(ms) && ms >= 0 ? Math.min(Math.round(ms), MAX_RETRY_MS) : undefined;
}
