import type { CallRecord, HostContext } from '../../dispatch/host.js';
import type { PreparedServer } from '../../dispatch/prepared-server.js';
import { type RequestContext, refuse } from '../../dispatch/request-context.js';
import { MCP_CODES, MCPError } from '../../jsonrpc/errors.js';
import type { HandlerContext } from '../../jsonrpc/handler-context.js';
import type { JsonRpcRequest } from '../../jsonrpc/messages.js';
import type { ReplyStream } from '../../ports/jobs.js';
import { isAgreed, type MaybePromise } from '../../ports/session-store.js';
import type { ClientInfo } from '../../ports/tool-runner.js';
import type { LogLevel } from '../../protocol/types.js';
import type { LiveSession, RunningExchange } from '../../sessions/live-session.js';
import type { Acceptable } from '../../wire/http-headers.js';
import type { Revision } from '../../wire/revision.js';
import { negotiate } from '../../wire/revisions.js';
import type { HttpResponder } from '../http-exchange.js';
import { RETRY_SOON, UNAVAILABLE } from '../streamable-http/answers.js';
import { Exchange, notServed, type ResponseHeaders } from '../streamable-http/exchange.js';
import type { EndpointServices } from '../streamable-http/services.js';
import { takeBack } from '../streamable-http/session-exchange.js';

/** Calls shorter than this cost no words between nodes; one that dies with its node is not answered. */
const TOLD_AFTER_MS = 200;

/** The stream is there already, whatever the POST accepts. */
const ON_THE_STREAM: Acceptable = Object.freeze({ json: false, sse: true, sseFirst: true });

/**
 * One request of a session that is a stream. Its POST is answered 202 as soon as the host has let it through, or with the
 * refusal; all else is said on the stream, whichever node holds it.
 */
export class HttpSseExchange extends Exchange implements RunningExchange {
  revision: Revision;
  client: ClientInfo;
  /** None before `initialize` has agreed. */
  session: LiveSession | undefined;
  #posted = false;
  #undecided = false;
  #watched = false;

  constructor(
    services: EndpointServices,
    responder: HttpResponder,
    host: HostContext,
    server: PreparedServer,
    request: JsonRpcRequest,
    private readonly live: LiveSession,
  ) {
    super(services, responder, host, server, request, ON_THE_STREAM);
    this.client = live.record.client;
    this.session = isAgreed(live.record) ? live : undefined;
    this.revision = negotiate(this.client.revision);
  }

  get logThreshold(): LogLevel {
    return this.live.logLevel;
  }

  protected override get era(): CallRecord['era'] {
    return 'http+sse';
  }

  override begin(run: HandlerContext<RequestContext>): void {
    super.begin(run);
    const { pendingMax } = this.server.snapshot.settings;
    if (this.live.running >= pendingMax) {
      throw new MCPError(MCP_CODES.INTERNAL_ERROR, `Session overloaded: ${pendingMax} requests are pending`);
    }
  }

  override awaits(verdict: Promise<unknown>): void {
    super.awaits(verdict);
    this.#undecided = true;
  }

  override admitted(): void {
    super.admitted();
    this.#decided();
  }

  override watch(): void {
    super.watch();
    this.#watched = true;
    if (!this.#undecided) this.#accept();
    if (!this.ended && this.live.record.node !== this.services.nodeId) this.#tellHolder();
  }

  get notices(): ReplyStream {
    return this.live.notices;
  }

  get unaskable(): undefined {
    return undefined;
  }

  mirrorFault(): undefined {
    return undefined;
  }

  listen(): never {
    throw notServed(this.request.method);
  }

  open(revision: Revision, client: ClientInfo): MaybePromise<void> {
    const agreed = this.services.sessionStore.agree(this.live.key, client);
    const settle = (outcome: 'agreed' | 'already' | 'unknown') => {
      if (outcome !== 'agreed') this.#refuseSecond(outcome);
      this.revision = revision;
      this.client = client;
      this.live.record = { ...this.live.record, client };
      this.session = this.live;
      this.#decided();
    };
    if (!(agreed instanceof Promise)) return settle(agreed);
    this.#undecided = true;
    return agreed.then(settle, (error) => this.#failed(error));
  }

  async askable(signal: AbortSignal): Promise<string | undefined> {
    const { requestTimeoutMs } = this.server.snapshot.settings;
    const ready = await this.live.whenInitialized(signal, requestTimeoutMs);
    signal.throwIfAborted();
    return ready ? undefined : `it has not said notifications/initialized within ${requestTimeoutMs} ms`;
  }

  override fail(message: string): void {
    takeBack(this, this.asked, this.live.pending, message);
    super.fail(message);
  }

  /** The POST says nothing but that it was taken. */
  disconnected(): void {}

  sessionEnded(): void {
    this.#accept();
    this.endUnread();
    this.stopWork('The session has ended');
  }

  protected openStream(): void {}

  protected stream(json: string, awaited: boolean): void {
    const { standaloneStream } = this.live.record;
    if (awaited) this.live.answer(standaloneStream, json);
    else this.live.append(standaloneStream, json);
  }

  protected streamLast(json: string): boolean {
    if (!this.#posted && this.status !== 200) {
      this.#posted = true;
      return false;
    }
    this.#accept();
    this.live.answer(this.live.record.standaloneStream, json);
    return true;
  }

  protected streamEnd(): boolean {
    this.#accept();
    return true;
  }

  /** Nothing is waited for any more; within the call that began the request a refusal may follow yet. */
  #decided(): void {
    this.#undecided = false;
    if (this.#watched) this.#accept();
  }

  /** Should this node die, the one that holds the stream says so to the client. */
  #tellHolder(): void {
    const { clock, nodeBus, nodeId: node } = this.services;
    const { record, key: session } = this.live;
    const { id: request } = this.request;
    const tell = (over: boolean) => nodeBus.send(record.node, { kind: 'runs', session, node, request, over });
    let told = false;
    const timer = clock.setTimer(TOLD_AFTER_MS, () => {
      told = true;
      tell(false);
    });
    const { onEnd } = this;
    this.onEnd = () => {
      onEnd?.();
      timer.cancel();
      if (told) tell(true);
    };
  }

  #accept(): void {
    if (this.#posted) return;
    this.#posted = true;
    this.responder.empty(202);
  }

  #refuseSecond(outcome: 'already' | 'unknown'): never {
    const [status, why] = outcome === 'already' ? [400, 'is initialized already'] : [404, 'has ended'];
    refuse(this, { status, code: MCP_CODES.INVALID_REQUEST, message: `Invalid request: this session ${why}` });
  }

  #failed(error: unknown): never {
    this.logger.error({ session: this.live.id, error: String(error) }, 'session could not be stored');
    refuse(this, { status: 503, ...UNAVAILABLE, headers: RETRY_SOON as ResponseHeaders });
  }
}
