import { answeredRounds, type InputAnswer, type InputRequest, MCP_CODES, MCPError } from '@gantry/mcp-core';
import type { NodeCalls } from '../../infra/nodes/node-calls.js';
import type { Admission } from './admission/admission.js';
import type { JobEvents } from './job-events.js';
import type { JobHandlers } from './job-handlers.js';
import type { JobRepository } from './store/job.repository.js';
import type { EndedRecord, JobRecord, JobSummary, NewJob } from './store/job-record.js';
import { deliveryOf } from './transport/delivery.js';
import type { JobTransport } from './transport/job-transport.js';

/** How long a worker may take to stop what it was asked to stop, before the asker is answered without its word. */
const STOP_MS = 5_000;

export const CANCEL_OPERATION = 'job.cancel';

export interface JobLimits {
  readonly queuedJobs: number;
  readonly concurrentJobs: number;
  readonly jobRetentionMs: number;
  readonly idempotencyMs: number;
}

export interface JobsServiceOptions {
  readonly repository: JobRepository;
  readonly transport: Pick<JobTransport, 'remove'>;
  readonly admission: Admission;
  readonly events: JobEvents;
  readonly calls: Pick<NodeCalls, 'ask'>;
  readonly handlers: JobHandlers;
  readonly limits: JobLimits;
  readonly onFault: (error: unknown) => void;
}

/** How a cancel stands: `silent`, when the worker has not said that the work stopped. */
export type CancelOutcome = 'cancelled' | 'over' | 'silent';

/** `joined`: it is an older job, submitted under the same idempotency key. */
export interface SubmittedJob {
  readonly id: string;
  readonly storedAt: Date;
  readonly joined: boolean;
}

/** Jobs as those who submit them and look after them have them. */
export class JobsService {
  constructor(private readonly options: JobsServiceOptions) {}

  /**
   * Stores a job and sees to it that it will run.
   * @throws MCPError when too many wait, or the idempotency key was used for other arguments
   */
  async submit(job: NewJob, concurrent = this.options.limits.concurrentJobs): Promise<SubmittedJob> {
    const { repository, admission, limits } = this.options;
    const { queuedJobs, idempotencyMs } = limits;
    const submitted = await repository.submit(job, { queued: queuedJobs, concurrent, keyMs: idempotencyMs });
    if (submitted.outcome === 'full') {
      const message = `Too many jobs wait already: the limit is ${queuedJobs}. Try again later`;
      throw new MCPError(MCP_CODES.INTERNAL_ERROR, message);
    }
    if (submitted.outcome === 'other') {
      const message = 'Invalid params: this idempotency key was used for a call with other arguments';
      throw new MCPError(MCP_CODES.INVALID_PARAMS, message);
    }
    const { id, outcome, storedAt } = submitted;
    if (outcome === 'joined') return { id, storedAt, joined: true };
    // It is stored, and nothing of this is lost: whoever submitted it need not wait for the queue.
    if (outcome === 'admitted') void admission.add({ id, attempts: 0 });
    else void admission.run();
    this.options.events.tell({ ...job, status: 'queued' });
    return { id, storedAt, joined: false };
  }

  /** With its place among those that wait, while it does. */
  async get(tenantId: string, id: string): Promise<(EndedRecord & { readonly place?: number }) | undefined> {
    const { repository } = this.options;
    const job = await repository.get(tenantId, id);
    if (job?.status !== 'queued' || job.admittedAt !== undefined) return job;
    return { ...job, place: await repository.place(job) };
  }

  listTasks(
    tenantId: string,
    serverId: string,
    owner: string,
    limit: number,
    after: string | undefined,
  ): Promise<JobSummary[]> {
    return this.options.repository.listTasks(tenantId, serverId, owner, limit, after);
  }

  /**
   * Stops a job. Undefined for one that never was.
   * @param told its caller does not know of it, and is to be answered with an error
   */
  async cancel(tenantId: string, id: string, reason: string, told = false): Promise<CancelOutcome | undefined> {
    const { repository, limits, transport, events, handlers, admission, onFault } = this.options;
    const job = await repository.cancel(tenantId, id, reason, limits.jobRetentionMs, told);
    if (job === undefined) return (await repository.get(tenantId, id)) && 'over';
    if (job.status === 'running') return this.stop(job);
    await transport.remove(deliveryOf(id, job.attempts)).catch(onFault);
    await this.leave(job).catch(onFault);
    events.tell(job);
    handlers.handler?.ended(job);
    void admission.run();
    return 'cancelled';
  }

  /** Takes answers to what a job asks; with the last one it waits for its next run. Undefined when it asks nothing. */
  async answer(
    tenantId: string,
    id: string,
    answers: Readonly<Record<string, InputAnswer>>,
  ): Promise<JobRecord | undefined> {
    const { repository, admission, events } = this.options;
    const answered = await repository.answer(tenantId, id, ({ questions, rounds }) => {
      if (questions === undefined || rounds === undefined) return undefined;
      const given = answeredRounds(questions as Readonly<Record<string, InputRequest>>, rounds, answers);
      return given.changed ? given : undefined;
    });
    if (answered === undefined) return undefined;
    events.tell(answered);
    if (answered.status === 'queued') void admission.run();
    return answered;
  }

  /** Cancels the open call of a session that waits under this name, if there is one. */
  async cancelCall(tenantId: string, callKey: string, reason: string): Promise<void> {
    const ids = await this.options.repository.byCallKey(tenantId, callKey);
    await Promise.all(ids.map((id) => this.cancel(tenantId, id, reason)));
  }

  private async stop({ id, node, cancelReason }: JobRecord): Promise<CancelOutcome> {
    if (node === undefined) return 'silent';
    const body = { id, reason: cancelReason ?? '' };
    // A worker that hears nothing of this reads it from the row when it beats next.
    const stopped = await this.options.calls.ask<boolean>(node, CANCEL_OPERATION, body, STOP_MS).catch(() => 'silent');
    return stopped === 'silent' ? 'silent' : 'cancelled';
  }

  private async leave(job: JobRecord): Promise<void> {
    await this.options.handlers.handler?.leave(job);
    await this.options.repository.answered(job);
  }
}
