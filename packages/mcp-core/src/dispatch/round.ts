import type { MaybePromise } from '../ports/session-store.js';
import type { InputNeeded, RoundInputs } from '../ports/tool-runner.js';

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

/** What a run is given that follows no questions. */
export const FIRST_ROUND: RoundInputs = Object.freeze({
  answers: Object.freeze({}),
  responses: undefined,
  requestState: undefined,
  kept: Object.freeze({}),
});

/** The request's result when its questions lead nowhere. `words` follow the label. */
export function refuseRound<T>(rounds: Rounds<T>, words: string): unknown {
  return rounds.finish(rounds.refused(`${capital(rounds.label)} ${words}.`));
}

/** A label at the beginning of a sentence. */
export function capital(label: string): string {
  return label.charAt(0).toUpperCase() + label.slice(1);
}
