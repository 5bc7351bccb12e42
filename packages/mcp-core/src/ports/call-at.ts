import type { Clock, Timer } from './clock.js';

/** The longest a timer can wait; what lies further ahead is looked at again. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Calls `fn` once when the clock has reached a time, within this call if it has already.
 * @param at milliseconds since the Unix epoch; undefined is never
 * @returns the function that takes it back, which may be called twice
 */
export function callAt(clock: Clock, at: number | undefined, fn: () => void): () => void {
  if (at === undefined) return () => {};
  let timer: Timer | undefined;
  const look = () => {
    const left = at - clock.now();
    if (left <= 0) fn();
    else timer = clock.setTimer(Math.min(left, MAX_TIMER_MS), look);
  };
  look();
  return () => timer?.cancel();
}
