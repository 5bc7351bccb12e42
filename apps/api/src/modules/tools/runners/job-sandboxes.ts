import type { CodeRunnerOptions } from './code/index.js';

/** No job may run for longer than a day, so none waits for longer. */
const LONGEST_WAIT_MS = 86_400_000;

/**
 * How the sandboxes of jobs differ from those of calls that somebody waits for. Whoever let a job in has counted it
 * already: it waits for its place, until its own time limit or a cancel ends the wait, and is never refused one.
 * @param slots jobs that run at one time in this process
 */
export function jobSandboxOptions(
  slots: number,
): Required<Pick<CodeRunnerOptions, 'queueWaitMs' | 'queueMax' | 'tenantQueueMax'>> {
  return { queueWaitMs: LONGEST_WAIT_MS, queueMax: slots, tenantQueueMax: slots };
}
