import { MAX_SUBSCRIPTIONS } from '../dispatch/limits.js';
import type { SessionAccess, StateHolder } from '../dispatch/request-context.js';
import type { Clock } from '../ports/clock.js';
import { DEFAULT_LOG_LEVEL } from '../protocol/log-levels.js';
import type { LogLevel } from '../protocol/types.js';
import { Lane } from '../sessions/lane.js';
import { Readiness } from '../sessions/readiness.js';
import { stateText } from '../sessions/state-text.js';

/** The session of one connection: it begins with `initialize` and ends with the connection. */
export class ConnectionSession implements SessionAccess {
  logLevel: LogLevel = DEFAULT_LOG_LEVEL;
  /** Whether the client has said `notifications/initialized`. */
  readonly readiness: Readiness;
  readonly #subscriptions = new Set<string>();
  readonly #lane: Lane;
  #state = '{}';

  constructor(
    readonly id: string,
    clock: Clock,
    private readonly turnLimitMs: number,
  ) {
    this.readiness = new Readiness(clock);
    this.#lane = new Lane(clock);
  }

  setLogLevel(level: LogLevel): void {
    this.logLevel = level;
  }

  async exclusively<T>(signal: AbortSignal, job: (holder: StateHolder) => Promise<T>): Promise<T> {
    await this.#lane.enter(signal, this.turnLimitMs);
    try {
      const holder: StateHolder = { state: JSON.parse(this.#state) as Record<string, unknown> };
      const outcome = await job(holder);
      if (holder.state !== undefined) this.#state = stateText(holder.state);
      return outcome;
    } finally {
      this.#lane.leave();
    }
  }

  subscribe(uri: string): 'subscribed' | 'full' {
    if (this.#subscriptions.size >= MAX_SUBSCRIPTIONS && !this.#subscriptions.has(uri)) return 'full';
    this.#subscriptions.add(uri);
    return 'subscribed';
  }

  unsubscribe(uri: string): void {
    this.#subscriptions.delete(uri);
  }

  subscribedTo(uri: string): boolean {
    return this.#subscriptions.has(uri);
  }
}
