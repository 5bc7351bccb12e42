import type { Clock, Timer } from '../ports/clock.js';
import { type SessionKey, sessionKeyText } from '../ports/session-store.js';
import type { NoTurn, SessionTurn, SessionTurns } from '../ports/session-turns.js';

/** Where the states of sessions are kept. */
export interface SessionStates {
  /** Undefined when the session does not exist. */
  stateOf(key: SessionKey): string | undefined;
  /** False when the session does not exist. */
  saveState(key: SessionKey, state: string): boolean;
}

/** The calls of one session that wait, in the order they came. There is a lane as long as somebody is in it. */
type Lane = Array<() => void>;

/** Turns within one process. None is ever lost: they end with the process, as the sessions do. */
export class InMemorySessionTurns implements SessionTurns {
  readonly #lanes = new Map<string, Lane>();

  constructor(
    private readonly states: SessionStates,
    private readonly clock: Clock,
  ) {}

  async take(key: SessionKey, signal: AbortSignal, limitMs: number): Promise<SessionTurn | NoTurn> {
    const text = sessionKeyText(key);
    const refused = await this.#enter(text, signal, limitMs);
    if (refused !== undefined) return refused;
    const state = this.states.stateOf(key);
    if (state === undefined) {
      this.#leave(text);
      return 'ended';
    }
    return this.#turn(key, text, state);
  }

  #turn(key: SessionKey, text: string, state: string): SessionTurn {
    let held = true;
    return {
      state,
      end: async (left) => {
        if (!held) return true;
        held = false;
        const stored = left === undefined || this.states.saveState(key, left);
        this.#leave(text);
        return stored;
      },
    };
  }

  #enter(text: string, signal: AbortSignal, limitMs: number): NoTurn | undefined | Promise<NoTurn | undefined> {
    if (signal.aborted) return 'aborted';
    const lane = this.#lanes.get(text);
    if (lane === undefined) {
      this.#lanes.set(text, []);
      return undefined;
    }
    return new Promise((resolve) => {
      let timer: Timer | undefined;
      const settle = (outcome: NoTurn | undefined) => {
        timer?.cancel();
        signal.removeEventListener('abort', abort);
        resolve(outcome);
      };
      const start = () => settle(undefined);
      const leaveQueue = (outcome: NoTurn) => {
        lane.splice(lane.indexOf(start), 1);
        settle(outcome);
      };
      const abort = () => leaveQueue('aborted');
      timer = this.clock.setTimer(limitMs, () => leaveQueue('late'));
      signal.addEventListener('abort', abort, { once: true });
      lane.push(start);
    });
  }

  #leave(text: string): void {
    const next = this.#lanes.get(text)?.shift();
    if (next === undefined) this.#lanes.delete(text);
    else next();
  }
}
