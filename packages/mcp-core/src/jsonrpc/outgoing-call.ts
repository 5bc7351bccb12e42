import type { Clock, Timer } from '../ports/clock.js';
import type { Outcome } from '../ports/meter.js';
import { MCPError, RequestCancelledError, RequestTimeoutError } from './errors.js';
import type { JsonRpcResponse, Params, RequestId } from './messages.js';
import type { PendingRequest } from './pending-requests.js';

/** One progress notification of the other side; values as it sent them. */
export interface Progress {
  progress: number;
  total?: number;
  message?: string;
}

/** How a request of ours may end before its answer, and what is told on the way. */
export interface RequestOptions {
  /** Ends the request on our side and tells the other. Aborted already: nothing is sent. */
  signal?: AbortSignal;
  /** Longest silence in milliseconds; every progress notification starts it anew. */
  timeoutMs?: number;
  /** Longest wait in milliseconds, whatever progress says. */
  maxTotalTimeoutMs?: number;
  /** Asks for progress: unless the params carry a `_meta.progressToken` already, the request's id becomes one. */
  onProgress?: (progress: Progress) => void;
  /** Whether giving up sends `notifications/cancelled`; false for requests that may not be cancelled. Default true. */
  notifyCancel?: boolean;
  /** The incoming request on whose behalf this one goes out. */
  relatedRequestId?: RequestId;
}

/** What a call tells whoever made it. */
export interface CallOwner {
  readonly clock: Clock;
  callEnded(call: OutgoingCall, outcome: Outcome): void;
  /** We gave up: the other side may stop. */
  callGivenUp(call: OutgoingCall, reason: string): void;
  progressFailed(call: OutgoingCall, error: unknown): void;
}

/** One request of ours from before it leaves until it is settled, exactly once. */
export class OutgoingCall implements PendingRequest {
  readonly tokens: string[] = [];
  #settled = false;
  #idle: Timer | undefined;
  #total: Timer | undefined;
  #onAbort: (() => void) | undefined;

  constructor(
    private readonly owner: CallOwner,
    readonly id: RequestId,
    readonly key: string,
    readonly method: string,
    readonly options: RequestOptions,
    readonly startedAt: number,
    private readonly resolve: (result: unknown) => void,
    private readonly reject: (error: Error) => void,
  ) {}

  /** Arms every way out; called before the message leaves. */
  arm(): void {
    const { signal, maxTotalTimeoutMs } = this.options;
    if (signal !== undefined) {
      this.#onAbort = () => this.#giveUp(cancelledBy(signal), 'cancelled');
      signal.addEventListener('abort', this.#onAbort, { once: true });
    }
    if (maxTotalTimeoutMs !== undefined) this.#total = this.#timer('maxTotalTimeoutMs', maxTotalTimeoutMs);
    this.#armIdle();
  }

  settle(response: JsonRpcResponse): void {
    if ('error' in response && response.error !== null && response.error !== undefined) {
      const { code, message, data } = response.error;
      this.fail(new MCPError(code, message, data), 'error');
    } else if (this.#end('ok')) this.resolve((response as { result: unknown }).result);
  }

  fail(error: Error, outcome: Outcome): void {
    if (this.#end(outcome)) this.reject(error);
  }

  progress(params: Params): void {
    if (this.#settled) return;
    this.#armIdle();
    const { onProgress } = this.options;
    if (onProgress === undefined || typeof params.progress !== 'number') return;
    const progress: Progress = { progress: params.progress };
    if (typeof params.total === 'number') progress.total = params.total;
    if (typeof params.message === 'string') progress.message = params.message;
    try {
      onProgress(progress);
    } catch (error) {
      this.owner.progressFailed(this, error);
    }
  }

  #armIdle(): void {
    const { timeoutMs } = this.options;
    if (timeoutMs === undefined) return;
    this.#idle?.cancel();
    this.#idle = this.#timer('timeoutMs', timeoutMs);
  }

  #timer(limit: 'timeoutMs' | 'maxTotalTimeoutMs', ms: number): Timer {
    return this.owner.clock.setTimer(ms, () =>
      this.#giveUp(new RequestTimeoutError(this.method, limit, ms), 'timeout'),
    );
  }

  #giveUp(error: MCPError, outcome: 'cancelled' | 'timeout'): void {
    if (!this.#end(outcome)) return;
    this.owner.callGivenUp(this, error.message);
    this.reject(error);
  }

  #end(outcome: Outcome): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    this.#idle?.cancel();
    this.#total?.cancel();
    if (this.#onAbort !== undefined) this.options.signal?.removeEventListener('abort', this.#onAbort);
    this.owner.callEnded(this, outcome);
    return true;
  }
}

/** The error of a request whose caller's signal is aborted. */
export function cancelledBy(signal: AbortSignal): RequestCancelledError {
  const { reason } = signal;
  const words = reason instanceof Error ? reason.message : typeof reason === 'string' ? reason : undefined;
  return new RequestCancelledError(words, reason);
}
