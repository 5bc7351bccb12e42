import { MAX_SUBSCRIPTIONS } from '../dispatch/limits.js';
import type { SessionAccess, StateHolder } from '../dispatch/request-context.js';
import { InMemorySessionTurns } from '../memory/session-turns.js';
import type { Clock } from '../ports/clock.js';
import type { SessionKey } from '../ports/session-store.js';
import { DEFAULT_LOG_LEVEL } from '../protocol/log-levels.js';
import type { LogLevel } from '../protocol/types.js';
import { Readiness } from '../sessions/readiness.js';
import { runInTurn } from '../sessions/run-in-turn.js';

/** The session of one connection: it begins with `initialize` and ends with the connection. */
export class ConnectionSession implements SessionAccess {
  logLevel: LogLevel = DEFAULT_LOG_LEVEL;
  /** Whether the client has said `notifications/initialized`. */
  readonly readiness: Readiness;
  readonly #subscriptions = new Set<string>();
  readonly #turns: InMemorySessionTurns;
  readonly #key: SessionKey;
  #state = '{}';

  constructor(
    readonly id: string,
    clock: Clock,
    private readonly turnLimitMs: number,
  ) {
    this.readiness = new Readiness(clock);
    this.#key = { server: '', owner: '', id };
    const states = {
      stateOf: () => this.#state,
      saveState: (_key: SessionKey, state: string) => {
        this.#state = state;
        return true;
      },
    };
    this.#turns = new InMemorySessionTurns(states, clock);
  }

  setLogLevel(level: LogLevel): void {
    this.logLevel = level;
  }

  exclusively<T>(signal: AbortSignal, job: (holder: StateHolder) => Promise<T>): Promise<T> {
    const request = { turns: this.#turns, session: this.#key, signal, limitMs: this.turnLimitMs, stuck: () => {} };
    return runInTurn(request, job);
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
