/** A running timer. `cancel` may be called twice and after it fired. */
export interface Timer {
  cancel(): void;
}

/** Time as a dependency, so that no test sleeps. All durations are milliseconds. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Calls `fn` once after `ms`. A pending timer never keeps the process alive. */
  setTimer(ms: number, fn: () => void): Timer;
}

/** The time of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(ms, fn) {
    const handle = setTimeout(fn, ms);
    handle.unref?.();
    return { cancel: () => clearTimeout(handle) };
  },
};
