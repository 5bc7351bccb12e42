import type { CallRecord, HostContext } from '../../dispatch/host.js';
import type { JobDesk, Relayed } from '../../dispatch/job-desk.js';
import type { PreparedServer, PreparedTool } from '../../dispatch/prepared-server.js';
import type { ListenFilter, RequestContext, SessionAccess } from '../../dispatch/request-context.js';
import type { JsonRpcDispatcher } from '../../jsonrpc/dispatcher.js';
import { encodeMessage, PreEncoded } from '../../jsonrpc/encode.js';
import { MCP_CODES, MCPError } from '../../jsonrpc/errors.js';
import type { HandlerContext } from '../../jsonrpc/handler-context.js';
import type {
  JsonRpcError,
  JsonRpcMessage,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResponse,
  RequestId,
} from '../../jsonrpc/messages.js';
import type { Transport } from '../../jsonrpc/transport.js';
import type { ChangeBus, ServerChange } from '../../ports/change-bus.js';
import type { Timer } from '../../ports/clock.js';
import type { Jobs, ReplyStream, Submitted } from '../../ports/jobs.js';
import type { MaybePromise, SessionKey } from '../../ports/session-store.js';
import type { StateSealer } from '../../ports/state-sealer.js';
import type { ClientInfo } from '../../ports/tool-runner.js';
import type { LogLevel } from '../../protocol/types.js';
import { wellFormed } from '../../protocol/well-formed.js';
import type { Acceptable } from '../../wire/http-headers.js';
import type { Revision } from '../../wire/revision.js';
import type { HttpResponder } from '../http-exchange.js';
import { type RelayedCall, relayAlone } from './relay.js';
import type { EndpointServices } from './services.js';

export type ResponseHeaders = Readonly<Record<string, string>>;

/**
 * One POST with one request, from its first check to its last byte: the transport under that request's dispatcher, and
 * the context its handler sees. Until something is written the answer's status is open.
 */
export abstract class Exchange implements Transport, RequestContext, JobDesk {
  readonly passive = true;
  readonly acceptsPreEncoded = true;
  readonly clock;
  readonly logger;
  readonly limits;
  readonly ids;
  /** Told once when the exchange is over, if it did not end within the call that began it. */
  onEnd: (() => void) | undefined;

  /** Set by whoever runs the exchange. */
  dispatcher: JsonRpcDispatcher<RequestContext> | undefined;

  /** Names it among what runs on this node; 0 until it does. */
  callId = 0;

  protected status = 200;
  protected headers: Record<string, string> | undefined;
  #run: HandlerContext<RequestContext> | undefined;
  #begun = false;
  #ended = false;
  #admitted = false;
  #verdict: Promise<unknown> | undefined;
  #refused = false;
  #tool: string | undefined;
  #toolFailed = false;
  #jobId: string | undefined;
  #silence: Timer | undefined;
  #progress: Readonly<Record<string, unknown>> | undefined;
  #work: Promise<unknown> | undefined;
  #stopped = false;
  /** Ids of the questions that the request has asked its client. */
  protected asked: RequestId[] | undefined;
  readonly startedAt: number;

  constructor(
    protected readonly services: EndpointServices,
    readonly responder: HttpResponder,
    readonly host: HostContext,
    readonly server: PreparedServer,
    readonly request: JsonRpcRequest,
    protected readonly accepts: Acceptable,
  ) {
    this.clock = services.clock;
    this.logger = services.logger;
    this.limits = services.limits;
    this.ids = services.ids;
    this.startedAt = services.clock.now();
  }

  abstract readonly revision: Revision;
  abstract readonly client: ClientInfo;
  abstract readonly session: SessionAccess | undefined;
  abstract readonly logThreshold: LogLevel | undefined;
  abstract mirrorFault(tool: PreparedTool, args: Readonly<Record<string, unknown>>): string | undefined;
  abstract open(revision: Revision, client: ClientInfo): MaybePromise<void>;
  abstract askable(signal: AbortSignal): MaybePromise<string | undefined>;
  abstract listen(filter: ListenFilter, run: HandlerContext<RequestContext>): Promise<unknown>;

  /** Opens the stream although there is nothing to say yet. */
  protected abstract openStream(): void;
  /**
   * Something on its way out before the answer, which is not an SSE stream yet or is one already.
   * @param awaited the client has to answer it
   */
  protected abstract stream(json: string, awaited: boolean): void;
  /** The last message of an answer that is a stream. False when no stream is open. */
  protected abstract streamLast(json: string): boolean;
  /** Ends the answer without a last message. False when no stream is open. */
  protected abstract streamEnd(): boolean;

  get sealer(): StateSealer {
    return this.services.stateSealer;
  }

  /** The session whose messages these are, for whoever traces it. */
  protected get tracedAs(): SessionKey | undefined {
    return undefined;
  }

  /** The tool that is called. */
  get tool(): string | undefined {
    return this.#tool;
  }

  /** Params of the last progress notification. */
  get progress(): Readonly<Record<string, unknown>> | undefined {
    return this.#progress;
  }

  protected get era(): CallRecord['era'] {
    return this.revision.era;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Whether a handler took the request; a request cancelled before it came has none. */
  get begun(): boolean {
    return this.#begun;
  }

  begin(run: HandlerContext<RequestContext>): void {
    this.#begun = true;
    this.#run = run;
  }

  awaits(verdict: Promise<unknown>): void {
    this.#verdict = verdict;
  }

  admitted(): void {
    this.#admitted = true;
    this.#verdict = undefined;
  }

  refuseWith(status: number, headers?: ResponseHeaders): void {
    this.#refused = true;
    this.#verdict = undefined;
    this.status = status;
    if (headers !== undefined) this.headers = { ...this.headers, ...headers };
  }

  runs(work: Promise<unknown>): void {
    this.#work = work;
  }

  toolCalled(name: string): void {
    this.#tool = name;
  }

  toolFailed(): void {
    this.#toolFailed = true;
  }

  announce(change: ServerChange): void {
    this.services.announce(this.host.server, change, this.server.snapshot.settings);
  }

  closeStream(_retryMs: number | undefined): void {}

  get desk(): JobDesk | undefined {
    return this.host.jobs === undefined ? undefined : this;
  }

  get changes(): ChangeBus {
    return this.services.changeBus;
  }

  abstract get notices(): ReplyStream | undefined;
  abstract get unaskable(): string | undefined;

  ask(request: JsonRpcRequest): void {
    this.send(request);
  }

  submitted(jobId: string): void {
    this.#jobId = jobId;
  }

  relay(submit: (reply: ReplyStream) => Promise<Submitted>, signal: AbortSignal, keyed: boolean): Promise<Relayed> {
    return relayAlone(
      this.services,
      this.relayed(submit, signal, () => keyed),
    );
  }

  /** This request, as whoever relays its job has to know it. */
  protected relayed(
    submit: (reply: ReplyStream) => Promise<Submitted>,
    signal: AbortSignal,
    outlives: () => boolean,
  ): RelayedCall {
    const { server, owner, jobs } = this.host;
    return {
      server,
      owner,
      requestId: this.request.id,
      settings: this.server.snapshot.settings,
      jobs: jobs as Jobs,
      signal,
      outlives,
      submit,
      say: (json, awaited) => {
        if (!this.#ended && this.accepts.sse) this.stream(json, awaited);
      },
    };
  }

  /**
   * Lets go of a request whose answer does not depend on this node. False when it does, and the request runs here until
   * its answer has left.
   */
  release(): boolean {
    return false;
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  send(message: JsonRpcMessage): void {
    if (this.#ended) return;
    if ('error' in message) return this.#answer(message, encode(this.#carried(message)));
    const json = encode(message);
    if ('method' in message) {
      if ('id' in message) (this.asked ??= []).push(message.id);
      else if (message.method === 'notifications/progress') this.#progress = message.params;
      // Without a stream there is nowhere for it to go; the client said so itself.
      if (!this.accepts.sse) return;
      this.stream(json, 'id' in message);
      if (this.services.tracer !== undefined) this.#trace(message, json);
      return;
    }
    this.#answer(message, json);
  }

  async close(): Promise<void> {
    this.endUnanswered();
  }

  /** After `receive` has returned without an answer: lets a cancel that needs no answer end the exchange. */
  watch(): void {
    if (!this.#begun) return this.endUnanswered();
    const end = () => this.endUnanswered();
    // Whatever the request has asked is taken back first, which its questions do on the same signal.
    const aborted = () => (this.asked === undefined ? end() : queueMicrotask(end));
    this.#run?.signal.addEventListener('abort', aborted, { once: true });
    const { keepAliveMs } = this.server.snapshot.settings;
    if (!this.accepts.sse || keepAliveMs <= 0) return;
    // Proxies cut connections on which nothing moves; an open stream can be kept alive, a pending JSON answer cannot.
    this.#silence = this.clock.setTimer(keepAliveMs, () => this.openStream());
  }

  /** The client closed the connection before its answer was complete. */
  abstract disconnected(): void;

  /** Aborts the handler; what it still says goes nowhere. */
  stopWork(reason: string): void {
    void this.dispatcher?.close(reason);
  }

  /**
   * Whoever runs the server stops the request: its client is told why. Resolves when nothing runs for it any more,
   * which takes as long as the runner needs to hear of it.
   */
  async stop(reason: string): Promise<void> {
    this.#stopped = true;
    this.fail(reason);
    this.stopWork(reason);
    await this.#work?.catch(() => undefined);
  }

  /** The server goes away while the request runs: says so to the client. */
  fail(message: string): void {
    if (this.#ended) return;
    this.send({ jsonrpc: '2.0', id: this.request.id, error: { code: MCP_CODES.INTERNAL_ERROR, message } });
  }

  /** The request ends without an answer: cancelled, or its session is over. */
  protected endUnanswered(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (!this.streamEnd()) this.responder.empty(202);
    this.#traceEnd('error', 0);
    this.#settle('cancelled');
  }

  /** Nothing more is said on this exchange: the client is gone, or has been told all there is. */
  protected endUnread(status: CallRecord['status'] = 'cancelled'): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#traceEnd('error', 0);
    this.#settle(status);
  }

  #carried(message: JsonRpcError): JsonRpcError {
    const error = this.revision.carriedError(message.error);
    return error === message.error ? message : { ...message, error };
  }

  #answer(message: JsonRpcResponse, json: string): void {
    this.#ended = true;
    if (this.services.tracer !== undefined) {
      this.#traceEnd('error' in message ? 'error' : 'response', Buffer.byteLength(json));
    }
    if (!this.streamLast(json)) this.responder.json(this.status, json, this.headers);
    if (this.#stopped) this.#settle('cancelled');
    else if ('error' in message) this.#settle(this.#refused ? 'refused' : 'error');
    else this.#settle(this.#toolFailed ? 'tool_error' : 'ok');
  }

  #trace(message: JsonRpcRequest | JsonRpcNotification, json: string): void {
    const { tracedAs } = this;
    if (tracedAs === undefined) return;
    const requestId = 'id' in message ? message.id : undefined;
    const kind = requestId === undefined ? 'notification' : 'request';
    const { method } = message;
    const bytes = Buffer.byteLength(json);
    this.services.tracer?.message(tracedAs, { direction: 'server', kind, method, requestId, bytes });
  }

  #traceEnd(kind: 'response' | 'error', bytes: number): void {
    const { tracer, clock } = this.services;
    const { tracedAs } = this;
    if (tracer === undefined || tracedAs === undefined) return;
    const { method, id: requestId } = this.request;
    const durationMs = clock.now() - this.startedAt;
    tracer.message(tracedAs, { direction: 'server', kind, method, requestId, name: this.#tool, bytes, durationMs });
  }

  #settle(status: CallRecord['status']): void {
    this.#silence?.cancel();
    this.onEnd?.();
    if (this.host.hooks?.afterCall === undefined) return;
    const durationMs = this.clock.now() - this.startedAt;
    if (this.#verdict === undefined) return this.#tell(status, durationMs);
    // Ended while the host was deciding: it may let the request through yet, and then has to hear that it is over.
    const tell = () => this.#tell(status, durationMs);
    this.#verdict.then(tell, tell);
  }

  #tell(status: CallRecord['status'], durationMs: number): void {
    const record: CallRecord = {
      method: this.request.method,
      tool: this.#tool,
      status,
      durationMs,
      era: this.era,
      revision: this.revision.name,
      client: this.client,
      principal: this.host.principal,
      sessionId: this.session?.id,
      ...(this.#jobId && { jobId: this.#jobId }),
      admitted: this.#admitted,
    };
    try {
      this.host.hooks?.afterCall?.(record);
    } catch (error) {
      this.logger.error({ method: record.method, error: String(error) }, 'afterCall failed');
    }
  }
}

/** A pre-encoded result is well-formed already and may be long. */
function encode(message: JsonRpcMessage): string {
  const json = encodeMessage(message);
  return 'result' in message && message.result instanceof PreEncoded ? json : wellFormed(json);
}

export function notServed(method: string): MCPError {
  return new MCPError(MCP_CODES.METHOD_NOT_FOUND, `Method not found: ${method}`);
}
