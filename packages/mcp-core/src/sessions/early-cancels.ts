import { EARLY_CANCEL_TTL_MS, REMEMBERED_LENGTH } from '../jsonrpc/in-flight-table.js';
import type { Clock } from '../ports/clock.js';

/** For how many sessions cancels are kept, and how many for each. */
const SESSIONS_MAX = 1_000;
const CANCELS_MAX = 16;

interface EarlyCancel {
  readonly request: string;
  readonly at: number;
}

/** Cancels in sessions that this node has not met yet: their requests may come here, and must not begin then. */
export class EarlyCancels {
  readonly #sessions = new Map<string, readonly EarlyCancel[]>();

  constructor(private readonly clock: Clock) {}

  /** @param session its key as text */
  add(session: string, request: string): void {
    if (request.length > REMEMBERED_LENGTH) return;
    const cancel: EarlyCancel = { request, at: this.clock.now() };
    this.#sessions.set(session, [...(this.#sessions.get(session) ?? []), cancel].slice(-CANCELS_MAX));
    if (this.#sessions.size > SESSIONS_MAX) this.#sessions.delete(this.#sessions.keys().next().value as string);
  }

  /** The requests that were cancelled, not too long ago, in a session that is met now. */
  take(session: string): readonly string[] {
    const cancels = this.#sessions.get(session);
    if (cancels === undefined) return [];
    this.#sessions.delete(session);
    const since = this.clock.now() - EARLY_CANCEL_TTL_MS;
    return cancels.filter(({ at }) => at >= since).map(({ request }) => request);
  }
}
