import type { Params } from '../jsonrpc/messages.js';
import { InputNeeded } from '../ports/tool-runner.js';
import { askLive } from './live-questions.js';
import type { Run } from './method.js';
import { FIRST_ROUND, type Rounds } from './round.js';
import { handBack, isRetry, resume } from './round-trips.js';

/** Runs round after round until there is an outcome, or in 2026-07-28 until there is something to ask. */
export function inRounds<T>(run: Run, params: Params, rounds: Rounds<T>): unknown {
  if (isRetry(params) && run.extra.revision.era === 'stateless') return resume(run, params, rounds);
  const settle = (outcome: T | InputNeeded) =>
    outcome instanceof InputNeeded ? ask(run, params, rounds, outcome) : rounds.finish(outcome);
  const outcome = rounds.start(FIRST_ROUND);
  return outcome instanceof Promise ? outcome.then(settle) : settle(outcome);
}

function ask<T>(run: Run, params: Params, rounds: Rounds<T>, needed: InputNeeded): unknown {
  return run.extra.revision.era === 'stateless' ? handBack(run, params, rounds, needed) : askLive(run, rounds, needed);
}
