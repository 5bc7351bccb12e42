import { setMaxListeners } from 'node:events';
import { describeFailure, EgressFailure, EgressRefused } from './errors.js';

/** One signal out of the caller's and a time limit, and the words for whichever came first. */
export class Deadline {
  readonly signal: AbortSignal;
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly cancel = () => this.controller.abort(this.cancelled());

  constructor(
    private readonly caller: AbortSignal,
    private readonly timeoutMs: number,
  ) {
    this.signal = this.controller.signal;
    this.timer = setTimeout(() => this.controller.abort(this.expired()), timeoutMs);
    // One call may make many requests at once; that is no leak to warn of.
    setMaxListeners(0, caller);
    if (caller.aborted) this.cancel();
    else caller.addEventListener('abort', this.cancel, { once: true });
  }

  /** Call when nothing waits any more; the caller's signal outlives the request. */
  clear(): void {
    clearTimeout(this.timer);
    this.caller.removeEventListener('abort', this.cancel);
  }

  /** What to throw for `error`: a refusal as it is, else why this request ended. */
  explain(error: unknown): EgressRefused | EgressFailure {
    if (error instanceof EgressRefused) return error;
    if (this.signal.aborted) return this.signal.reason as EgressFailure;
    return describeFailure(error);
  }

  private expired(): EgressFailure {
    return new EgressFailure('timeout', `the backend did not answer within ${this.timeoutMs} ms`, true);
  }

  private cancelled(): EgressFailure {
    return new EgressFailure('cancelled', 'the call was cancelled', true);
  }
}
