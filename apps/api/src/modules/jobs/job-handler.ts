import type { InputRequest, JobEnd, JobRunEnd, ProgressListener } from '@gantry/mcp-core';
import type { JobRecord } from './store/job-record.js';

/** Runs jobs; given to the worker by whoever knows tools and event logs. */
export interface JobHandler {
  /**
   * Runs a claimed job once. Aborting the signal stops the work; it settles when nothing of it runs any more. It rejects
   * only when nothing of the tool has run: then it is tried again, a few times.
   * @param isMine false once the claim stands no more: from then on nothing may be said to anybody
   * @param progressed told each progress that was said
   */
  run(job: JobRecord, signal: AbortSignal, isMine: () => boolean, progressed: ProgressListener): Promise<JobRunEnd>;
  /** Gives a job's caller its answer, where one waits on a stream; after the end is stored. May be called twice. */
  answer(job: JobRecord, end: JobEnd): Promise<void>;
  /** Lets go of a caller whose job was cancelled. May be called twice. */
  leave(job: JobRecord): Promise<void>;
  /** Asks a session's caller the questions of a job, on the call's own stream. May be called twice. */
  ask(job: JobRecord, questions: Readonly<Record<string, InputRequest>>): Promise<void>;
  /** Tells a caller that waits how many jobs are before its own. */
  waits(job: JobRecord, place: number): Promise<void>;
  /** Writes a finished run into the books, with its end if it has one. */
  ended(job: JobRecord, end?: JobEnd): void;
  /** What the caller reads when nobody knows how far the tool came. */
  unknownEnd(job: JobRecord): JobEnd;
}
