import { MCP_CODES, MCPError } from '../jsonrpc/errors.js';
import type { Clock, Timer } from '../ports/clock.js';

interface Waiter {
  readonly start: () => void;
}

/** Lets one call at a time through, in the order they came. Every wait ends: by its turn, its limit or its signal. */
export class Lane {
  #busy = false;
  readonly #waiting: Waiter[] = [];

  constructor(private readonly clock: Clock) {}

  /** Calls that wait for their turn. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Resolves when it is the caller's turn, who then must `leave`. Rejects with `MCPError`, and then must not. */
  enter(signal: AbortSignal, limitMs: number): Promise<void> {
    if (signal.aborted) return Promise.reject(cancelled());
    if (!this.#busy) {
      this.#busy = true;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      let timer: Timer | undefined;
      const done = () => {
        timer?.cancel();
        signal.removeEventListener('abort', abort);
      };
      const waiter: Waiter = {
        start: () => {
          done();
          resolve();
        },
      };
      const leaveQueue = (error: MCPError) => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        done();
        reject(error);
      };
      const abort = () => leaveQueue(cancelled());
      timer = this.clock.setTimer(limitMs, () =>
        leaveQueue(new MCPError(MCP_CODES.INTERNAL_ERROR, `Waited ${limitMs} ms for an earlier call of this session`)),
      );
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting.push(waiter);
    });
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#busy = false;
    else next.start();
  }
}

function cancelled(): MCPError {
  return new MCPError(MCP_CODES.REQUEST_CANCELLED, 'The request was cancelled');
}
