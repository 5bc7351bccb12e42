import type { Outcome } from '../ports/meter.js';
import { type MCPTransportError, RequestCancelledError } from './errors.js';
import type { CancellableRun } from './in-flight-table.js';
import type { Params, RequestId } from './messages.js';
import type { RequestOptions } from './outgoing-call.js';
import type { ProgressToken } from './pending-requests.js';

/** What a handler is given beside its params. Its functions are methods: call them on the context. */
export interface HandlerContext<E = undefined> {
  readonly id: RequestId;
  readonly method: string;
  /** Aborted when the other side cancels this request or the connection closes. Made when first read. */
  readonly signal: AbortSignal;
  /** The value the dispatcher was made with. */
  readonly extra: E;
  /** Sends `notifications/progress`. False when refused, because the request has ended. */
  sendProgress(token: ProgressToken, progress: number, total?: number, message?: string): boolean;
  /** As `dispatcher.notify`, related to this request. */
  notify(method: string, params?: Params): Promise<void>;
  /** As `dispatcher.request`, related to this request and cancelled with it. */
  request(method: string, params?: Params, options?: RequestOptions): Promise<unknown>;
}

/**
 * Answers one method. A plain value is sent at once, a promise when it settles; nothing becomes `{}`. A thrown
 * `MCPError` is the answer, anything else is -32603.
 */
export type Handler<E = undefined> = (params: Params, ctx: HandlerContext<E>) => unknown | Promise<unknown>;

/** The dispatcher, as far as a running request knows it. */
export interface RunOwner {
  notifyFrom(run: RunningRequest<unknown>, method: string, params: Params | undefined): Promise<void>;
  postFrom(run: RunningRequest<unknown>, method: string, params: Params): void;
  requestFrom(
    run: RunningRequest<unknown>,
    method: string,
    params: Params | undefined,
    options: RequestOptions,
  ): Promise<unknown>;
  runEnded(run: RunningRequest<unknown>, outcome: Outcome): void;
}

/** One incoming request while its handler runs, and the context of that handler. */
export class RunningRequest<E> implements HandlerContext<E>, CancellableRun {
  #ended = false;
  #controller: AbortController | undefined;
  #abortReason: Error | undefined;
  readonly #owner: RunOwner;

  constructor(
    owner: RunOwner,
    readonly id: RequestId,
    readonly key: string,
    readonly method: string,
    readonly extra: E,
    readonly startedAt: number,
  ) {
    this.#owner = owner;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#abortReason !== undefined) this.#controller.abort(this.#abortReason);
    }
    return this.#controller.signal;
  }

  sendProgress(token: ProgressToken, progress: number, total?: number, message?: string): boolean {
    if (this.#ended) return false;
    const params: Params = { progressToken: token, progress };
    if (total !== undefined) params.total = total;
    if (message !== undefined) params.message = message;
    this.#owner.postFrom(this, 'notifications/progress', params);
    return true;
  }

  notify(method: string, params?: Params): Promise<void> {
    return this.#owner.notifyFrom(this, method, params);
  }

  request(method: string, params?: Params, options: RequestOptions = {}): Promise<unknown> {
    const signal = options.signal === undefined ? this.signal : AbortSignal.any([this.signal, options.signal]);
    return this.#owner.requestFrom(this, method, params, { ...options, signal });
  }

  /** Marks the end. False when it has ended before, and then nothing may be answered. */
  end(): boolean {
    if (this.#ended) return false;
    this.#ended = true;
    return true;
  }

  cancel(reason: string | undefined): void {
    this.#abort(new RequestCancelledError(reason), 'cancelled');
  }

  close(reason: MCPTransportError): void {
    this.#abort(reason, 'closed');
  }

  #abort(reason: Error, outcome: Outcome): void {
    if (!this.end()) return;
    this.#abortReason = reason;
    this.#owner.runEnded(this, outcome);
    this.#controller?.abort(reason);
  }
}
