import { InputNeeded } from '../ports/tool-runner.js';
import type { BoundedRun } from './bounded-run.js';
import type { Run } from './method.js';
import type { SessionAccess } from './request-context.js';

/** Runs what is stateful: after the runs before it, with the session's state. */
export function inTurn<T>(
  bounded: BoundedRun<T | InputNeeded>,
  run: Run,
  session: SessionAccess,
): Promise<T | InputNeeded> {
  return session.exclusively(run.signal, async (holder) => {
    // Cancelled after its turn had come, while the state was read.
    run.signal.throwIfAborted();
    bounded.state = holder.state;
    bounded.lost = holder.lost;
    const outcome = await bounded.start();
    // What was stored before stands when a run was cut off, or ends only to begin again.
    holder.state = bounded.cutOff || outcome instanceof InputNeeded ? undefined : bounded.state;
    return outcome;
  });
}
