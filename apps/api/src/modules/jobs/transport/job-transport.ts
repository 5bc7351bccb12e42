/**
 * Carries ids of admitted jobs to workers: at least once, in the order they were added. It knows nothing of tenants, and
 * nothing of what a job is; whether one may run is decided by its row.
 */
export interface JobTransport {
  /** Resolves when the id is stored. Adding one that is there already changes nothing. */
  add(jobId: string): Promise<void>;
  /** Takes back one that waits; false when it is not waiting there (any more). */
  remove(jobId: string): Promise<boolean>;
  /**
   * Begins to take ids, and resolves when it does. `take` is called for at most `slots` at once; its promise holds the
   * slot and does not reject; false puts the id back. An id whose process died comes again, to this or another one.
   */
  work(take: (jobId: string) => Promise<boolean>, slots: number): Promise<void>;
  /** Takes no more ids; those taken go on. */
  rest(): Promise<void>;
  /** Takes ids again. */
  resume(): Promise<void>;
  /** Lets go of everything; what was taken and not done comes again elsewhere. */
  close(): Promise<void>;
}
