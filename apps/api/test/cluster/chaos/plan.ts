import { randomOf } from '@gantry/mcp-core/testing';

/** How long and how hard; the same seed makes the same choices. */
export interface Plan {
  readonly seconds: number;
  readonly seed: number;
  /** Sessions at a time; each lives for `sessionMs`, then another takes its place. */
  readonly clients: number;
  readonly sessionMs: number;
  /** Between two kills of a node. */
  readonly killEveryMs: number;
  /** Between two kills of a worker. */
  readonly killWorkerEveryMs: number;
  /** Stateless callers of jobs at a time. */
  readonly callers: number;
  /** Between two cuts of all of Redis's connections. */
  readonly cutEveryMs: number;
  /** Between two restarts of Redis; what it has acknowledged it keeps. */
  readonly restartEveryMs: number;
  /** Between two messages to every session. */
  readonly sayEveryMs: number;
  readonly random: () => number;
}

/** A minute as a test; `GANTRY_CHAOS_SECONDS` and `GANTRY_SEED` ask for more, or for the same again. */
export function planOf(env: Readonly<Record<string, string | undefined>>): Plan {
  const seconds = Number(env.GANTRY_CHAOS_SECONDS ?? 60);
  const seed = Number(env.GANTRY_SEED ?? Math.floor(Math.random() * 2 ** 31));
  const long = seconds >= 120;
  return {
    seconds,
    seed,
    clients: long ? 45 : 9,
    sessionMs: long ? 50_000 : 1_000_000,
    killEveryMs: long ? 11_000 : 5_000,
    killWorkerEveryMs: long ? 29_000 : 8_000,
    callers: long ? 12 : 4,
    cutEveryMs: long ? 23_000 : 4_000,
    restartEveryMs: long ? 61_000 : 9_000,
    sayEveryMs: long ? 250 : 100,
    random: randomOf(seed),
  };
}

/** Waits, or not as long when the run is over. */
export function pause(ms: number, over: AbortSignal): Promise<void> {
  if (over.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      over.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    over.addEventListener('abort', done, { once: true });
  });
}
