import type { Clock, Timer } from '../ports/clock.js';

/** Whether the client has said that it is ready for requests of ours. Once it has, that stays so. */
export class Readiness {
  #ready = false;
  readonly #waiting = new Set<() => void>();

  constructor(private readonly clock: Clock) {}

  get ready(): boolean {
    return this.#ready;
  }

  /** The client has said so, here or to another node. */
  set(): void {
    this.#ready = true;
    for (const wake of [...this.#waiting]) wake();
  }

  /** Resolves when it has been said, the time is over or the signal aborts: true in the first case. */
  wait(signal: AbortSignal, limitMs: number): Promise<boolean> {
    if (this.#ready || signal.aborted) return Promise.resolve(this.#ready);
    return new Promise((resolve) => {
      let timer: Timer | undefined;
      const settle = () => {
        timer?.cancel();
        signal.removeEventListener('abort', settle);
        this.#waiting.delete(settle);
        resolve(this.#ready);
      };
      timer = this.clock.setTimer(limitMs, settle);
      signal.addEventListener('abort', settle, { once: true });
      this.#waiting.add(settle);
    });
  }
}
