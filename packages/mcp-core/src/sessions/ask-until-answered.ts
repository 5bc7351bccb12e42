import type { Clock } from '../ports/clock.js';
import type { MaybePromise } from '../ports/session-store.js';

const ASK_AGAIN_MS = 1_000;

export interface AskOptions {
  readonly clock: Clock;
  /** For how long the answer matters. */
  readonly limitMs: number;
  /** Whether it still matters to whoever asked. */
  readonly wanted: () => boolean;
  /** Told when there was no answer within the limit. */
  readonly failed: (error: unknown) => void;
}

/** Asks a port, and again where it fails: one that has just been cut off is back in a moment. */
export function askUntilAnswered<T>(
  options: AskOptions,
  question: () => MaybePromise<T>,
  settle: (answer: T) => void,
): void {
  const { clock, limitMs, wanted, failed } = options;
  const answer = question();
  if (!(answer instanceof Promise)) return settle(answer);
  answer.then(settle).catch((error) => {
    if (limitMs <= 0) return failed(error);
    clock.setTimer(ASK_AGAIN_MS, () => {
      if (wanted()) askUntilAnswered({ ...options, limitMs: limitMs - ASK_AGAIN_MS }, question, settle);
    });
  });
}
