import type { Params } from '../jsonrpc/messages.js';
import type { MaybePromise } from '../ports/session-store.js';
import { InputNeeded, type RoundInputs } from '../ports/tool-runner.js';
import type { Run } from './method.js';

/** Something that may ask the client before it can answer, and then begins again from the top. */
export interface Rounds<T> {
  /** For people: "tool greet". */
  readonly label: string;
  start(inputs: RoundInputs): MaybePromise<T | InputNeeded>;
  /** The outcome as result of the request, made into bytes. */
  finish(outcome: T): unknown;
  /** What stands for the outcome when the client cannot be asked or does not answer. May throw instead. */
  refused(words: string): T;
}

const FIRST_ROUND: RoundInputs = Object.freeze({
  answers: Object.freeze({}),
  responses: undefined,
  requestState: undefined,
  kept: Object.freeze({}),
});

/** Runs round after round until there is an outcome, or in 2026-07-28 until there is something to ask. */
export function inRounds<T>(run: Run, params: Params, rounds: Rounds<T>): unknown {
  void run;
  void params;
  const settle = (outcome: T | InputNeeded) =>
    rounds.finish(outcome instanceof InputNeeded ? rounds.refused('cannot ask') : outcome);
  const outcome = rounds.start(FIRST_ROUND);
  return outcome instanceof Promise ? outcome.then(settle) : settle(outcome);
}
