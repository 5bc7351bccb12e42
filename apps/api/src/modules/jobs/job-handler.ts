import type { JobCaller, JobEnd, JobFace, JobRounds, JobRunEnd, ReplyStream } from '@gantry/mcp-core';

/** A job as its row has it, as far as running and answering it asks. */
export interface JobRow {
  readonly id: string;
  readonly tenantId: string;
  readonly serverId: string;
  /** Slug. */
  readonly server: string;
  readonly revision: number;
  readonly tool: string;
  readonly owner: string;
  readonly face: JobFace;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly caller: JobCaller;
  readonly reply: ReplyStream | undefined;
  readonly rounds: JobRounds | undefined;
  readonly timeoutMs: number;
  readonly attempts: number;
}

/** Runs jobs; given to the worker by whoever knows tools and event logs. */
export interface JobHandler {
  /**
   * Runs a claimed job once. Aborting the signal stops the work; it settles when nothing of it runs any more.
   * @param progress told each value that was said, to be stored
   */
  run(
    job: JobRow,
    signal: AbortSignal,
    progress: (done: number, total: number | undefined, message: string | undefined) => void,
  ): Promise<JobRunEnd>;
  /** Gives a job's caller its answer, where one waits on a stream; after the end is stored. May be called twice. */
  answer(job: JobRow, end: JobEnd): Promise<void>;
  /** Asks a session's caller the questions of a job, on the call's own stream. May be called twice. */
  ask(job: JobRow, questions: Readonly<Record<string, unknown>>): Promise<void>;
}
