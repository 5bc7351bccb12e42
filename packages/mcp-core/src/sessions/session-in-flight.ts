import { type CancellableRun, type InFlightTable, InMemoryInFlightTable } from '../jsonrpc/in-flight-table.js';
import type { Clock } from '../ports/clock.js';

/** Running requests of one session on this node. A cancel that finds none of them is told to the other nodes. */
export class SessionInFlight implements InFlightTable {
  readonly #here: InMemoryInFlightTable;

  constructor(
    clock: Clock,
    private readonly tellOthers: (request: string, reason: string | undefined) => void,
  ) {
    this.#here = new InMemoryInFlightTable(clock);
  }

  add(key: string, run: CancellableRun): boolean {
    return this.#here.add(key, run);
  }

  remove(key: string, run: CancellableRun): void {
    this.#here.remove(key, run);
  }

  cancel(key: string, reason: string | undefined): void {
    // Others would remember it for a request yet to come, and some clients give every request the same id.
    if (!this.#here.cancel(key, reason)) this.tellOthers(key, reason);
  }

  /** A cancel that another node has told. */
  cancelHere(key: string, reason: string | undefined): void {
    this.#here.cancel(key, reason);
  }
}
