import type { InputRequest } from '@gantry/mcp-core';
import type { Log } from '../../../infra/tokens.js';
import type { Admission } from '../admission/admission.js';
import type { JobEvents } from '../job-events.js';
import type { JobHandlers } from '../job-handlers.js';
import type { JobRepository } from '../store/job.repository.js';
import type { EndedRecord } from '../store/job-record.js';
import type { ClaimedRow, JobName, Losses, WorkerRepository } from '../store/worker.repository.js';

export interface LostJobsOptions {
  readonly repository: JobRepository;
  readonly workers: WorkerRepository;
  readonly admission: Pick<Admission, 'run'>;
  readonly events: JobEvents;
  readonly handlers: JobHandlers;
  readonly log: Log;
  /** How long what is over is kept, in milliseconds. */
  readonly retentionMs: number;
}

/** Jobs that are claimed and that nobody runs: what may be repeated waits again, the rest ends, and its caller is told. */
export class LostJobs {
  constructor(private readonly options: LostJobsOptions) {}

  /** Those of a process that is gone. False while its lease stands: then nothing was done. */
  async ofNode(node: string): Promise<boolean> {
    return (await this.lose(node)) !== undefined;
  }

  /** Those that the process which claimed them knows it does not run. */
  async ofClaims(node: string, claims: readonly ClaimedRow[]): Promise<void> {
    await this.lose(node, claims);
  }

  /** Tells a caller who was not told when it was time; one at a time, since a result may be large. */
  async tellLate({ tenantId, id }: JobName): Promise<void> {
    const job = await this.options.repository.get(tenantId, id);
    if (job !== undefined && job.answeredAt === undefined) await this.tellCaller(job);
  }

  /** Tells the caller of a job what its row says: an answer, an end without one, or questions. */
  async tellCaller(job: EndedRecord): Promise<void> {
    const { handlers, repository, events } = this.options;
    const { handler } = handlers;
    if (handler === undefined) return;
    if (job.status === 'input_required') {
      await handler.ask(job, (job.questions ?? {}) as Readonly<Record<string, InputRequest>>);
    } else if (job.end === undefined) await handler.leave(job);
    else await handler.answer(job, job.end);
    await repository.answered(job);
    // Whoever stored it may have died before it was told.
    events.tell(job);
  }

  private async lose(node: string, claims?: readonly ClaimedRow[]): Promise<Losses | undefined> {
    const { workers, handlers, admission, events, retentionMs, log } = this.options;
    const { handler } = handlers;
    if (handler === undefined) return undefined;
    const losses = await workers.lose(node, (job) => handler.unknownEnd(job), retentionMs, claims);
    if (losses === undefined) return undefined;
    const { requeued, unknown, cancelled } = losses;
    const all = [...requeued, ...unknown, ...cancelled];
    if (all.length === 0) return losses;
    const counts = { requeued: requeued.length, unknown: unknown.length, cancelled: cancelled.length };
    log.warn({ node, ...counts }, claims === undefined ? 'a worker is gone' : 'claimed jobs did not run');
    void admission.run();
    for (const job of all) events.tell(job);
    for (const job of [...unknown, ...cancelled]) handler.ended(job);
    const ended = [
      ...unknown.map((job) => ({ ...job, end: handler.unknownEnd(job) })),
      ...cancelled.map((job) => ({ ...job, end: undefined })),
    ];
    const told = await Promise.allSettled(ended.map((job) => this.tellCaller(job)));
    // The keeper tells them later.
    for (const one of told) if (one.status === 'rejected') log.warn({ err: one.reason }, 'a caller could not be told');
    return losses;
  }
}
