import type { SessionKey } from './session-store.js';

/** The right to change a session's state, held by one run at a time over all nodes. */
export interface SessionTurn {
  /** JSON text of the state as the run before left it. */
  readonly state: string;
  /** Aborted when the turn is another's by now: what this run leaves will not be stored. Undefined where none is lost. */
  readonly lost?: AbortSignal;
  /**
   * Gives the turn back, and stores the state if one is given, in one step. May be called twice; the first counts.
   * @returns false when a state was given and not stored: the turn was lost, or the session has ended
   */
  end(state?: string): Promise<boolean>;
}

/** Why there was no turn: its wait took too long, the caller gave up, or the session has ended. */
export type NoTurn = 'late' | 'aborted' | 'ended';

/**
 * Lets stateful runs of a session through one at a time, in the order they came, whichever nodes they run on. The turn of
 * a node that dies is free after a time, and the state is then what it was before that turn.
 */
export interface SessionTurns {
  /** @param limitMs how long to wait at most */
  take(key: SessionKey, signal: AbortSignal, limitMs: number): Promise<SessionTurn | NoTurn>;
}
