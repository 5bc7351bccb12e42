import type { Clock, Timer } from '../ports/clock.js';

interface FakeTimer {
  readonly at: number;
  readonly fn: () => void;
}

/** A clock that stands still until it is told to go. Timers fire in order of time, then of setting. */
export class FakeClock implements Clock {
  /** How often `now` was asked. */
  reads = 0;
  #now: number;
  readonly #timers = new Set<FakeTimer>();

  /** @param start milliseconds since the Unix epoch */
  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start;
  }

  now(): number {
    this.reads++;
    return this.#now;
  }

  setTimer(ms: number, fn: () => void): Timer {
    const timer: FakeTimer = { at: this.#now + Math.max(0, ms), fn };
    this.#timers.add(timer);
    return { cancel: () => void this.#timers.delete(timer) };
  }

  /** Timers that wait. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Lets `ms` pass. Whatever falls due on the way, also what a timer sets in turn, fires within this call at its own time. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (let next = this.#due(end); next !== undefined; next = this.#due(end)) {
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.fn();
    }
    this.#now = end;
  }

  #due(end: number): FakeTimer | undefined {
    let first: FakeTimer | undefined;
    for (const timer of this.#timers) {
      if (timer.at <= end && (first === undefined || timer.at < first.at)) first = timer;
    }
    return first;
  }
}
