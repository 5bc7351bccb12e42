import { type Clock, systemClock } from '../ports/clock.js';

/** A running incoming request, as far as a cancel needs to know it. */
export interface CancellableRun {
  /** Aborts the run; no answer follows. May be called twice. */
  cancel(reason: string | undefined): void;
}

/**
 * Incoming requests that run now, by `requestKey(id)`, so that a cancel finds them whichever connection it comes on.
 * One table serves one session or one connection: ids of different clients must never meet in it.
 */
export interface InFlightTable {
  /** Registers a run. False: it was cancelled before it came and must not start. */
  add(key: string, run: CancellableRun): boolean;
  /** Lets go of a run that has ended. Harmless for an unknown one. */
  remove(key: string, run: CancellableRun): void;
  /** Cancels every run with that id. An id not seen yet is remembered for the request that may still come. */
  cancel(key: string, reason: string | undefined): void;
}

/** How many early cancels, and how many ids that ended lately, are remembered. */
const REMEMBERED = 128;
/** Longer keys are not remembered: clients choose them, and each may be as long as a whole body. */
export const REMEMBERED_LENGTH = 256;
/** A cancel overtakes its request by a network's delay, not by minutes. */
export const EARLY_CANCEL_TTL_MS = 60_000;

/**
 * The table of one process. A cancel for an id that ended lately is late, not early, and leaves nothing behind: clients
 * that give every request the same id would otherwise lose their next one.
 */
export class InMemoryInFlightTable implements InFlightTable {
  readonly #runs = new Map<string, CancellableRun | CancellableRun[]>();
  readonly #clock: Clock;
  #cancelledEarly: Map<string, number> | undefined;
  #ended: Set<string> | undefined;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /** Requests that run now. */
  get size(): number {
    let size = 0;
    for (const entry of this.#runs.values()) size += Array.isArray(entry) ? entry.length : 1;
    return size;
  }

  add(key: string, run: CancellableRun): boolean {
    if (this.#cancelledEarly !== undefined && this.#wasCancelled(key)) return false;
    const there = this.#runs.get(key);
    if (there === undefined) this.#runs.set(key, run);
    else if (Array.isArray(there)) there.push(run);
    else this.#runs.set(key, [there, run]);
    return true;
  }

  remove(key: string, run: CancellableRun): void {
    const there = this.#runs.get(key);
    if (there === run) this.#runs.delete(key);
    else if (Array.isArray(there) && there.includes(run)) {
      const rest = there.filter((other) => other !== run);
      if (rest.length === 0) this.#runs.delete(key);
      else this.#runs.set(key, rest);
    } else return;
    this.#remember(key);
  }

  /** True when there was a run to cancel. */
  cancel(key: string, reason: string | undefined): boolean {
    const there = this.#runs.get(key);
    if (there !== undefined) {
      for (const run of Array.isArray(there) ? [...there] : [there]) run.cancel(reason);
      return true;
    }
    if (key.length <= REMEMBERED_LENGTH && !this.#ended?.has(key)) {
      this.#cancelledEarly ??= new Map();
      this.#cancelledEarly.delete(key);
      this.#cancelledEarly.set(key, this.#clock.now());
      dropOldest(this.#cancelledEarly);
    }
    return false;
  }

  #wasCancelled(key: string): boolean {
    const at = this.#cancelledEarly?.get(key);
    if (at === undefined) return false;
    this.#cancelledEarly?.delete(key);
    if (this.#clock.now() - at > EARLY_CANCEL_TTL_MS) return false;
    this.#remember(key);
    return true;
  }

  #remember(key: string): void {
    if (key.length > REMEMBERED_LENGTH) return;
    this.#ended ??= new Set();
    this.#ended.delete(key);
    this.#ended.add(key);
    dropOldest(this.#ended);
  }
}

function dropOldest(entries: Map<string, unknown> | Set<string>): void {
  if (entries.size > REMEMBERED) entries.delete(entries.keys().next().value as string);
}
