import type { Clock, Timer } from '@gantry/mcp-core';
import type { Log } from '../../../infra/tokens.js';
import type { NodeRegistry } from '../../nodes/node-registry.js';
import type { Admission } from '../admission/admission.js';
import type { JobEvents } from '../job-events.js';
import type { JobHandlers } from '../job-handlers.js';
import type { JobsService } from '../jobs.service.js';
import type { JobRepository } from '../store/job.repository.js';
import type { EndedRecord, JobRecord } from '../store/job-record.js';
import type { WorkerRepository } from '../store/worker.repository.js';

/** How often leases are looked at: with one of 10 s, whoever is lost is known within 15 s. */
const LOOK_MS = 5_000;
/** After how long an id that was handed to the queue is handed over again, and an end told again. */
const OVERDUE_MS = 15_000;
/** How often jobs are forgotten whose time is over. */
const FORGET_EVERY = 12;

export interface JobKeeperOptions {
  readonly repository: JobRepository;
  readonly workers: WorkerRepository;
  readonly admission: Admission;
  readonly service: JobsService;
  readonly handlers: JobHandlers;
  readonly events: JobEvents;
  readonly registry: Pick<NodeRegistry, 'onGone'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly retentionMs: number;
}

/** Looks after jobs whose process is gone. Every node has one; of all who find something, the row lets one have it. */
export class JobKeeper {
  private timer: Timer | undefined;
  private looking: Promise<void> | undefined;
  private looks = 0;
  private closed = false;
  private stopListening = () => {};

  constructor(private readonly options: JobKeeperOptions) {}

  start(): void {
    this.stopListening = this.options.registry.onGone((node) => void this.guarded(() => this.nodeGone(node)));
    this.schedule(0);
  }

  async close(): Promise<void> {
    this.closed = true;
    this.stopListening();
    this.timer?.cancel();
    await this.looking;
  }

  private schedule(ms: number): void {
    this.timer = this.options.clock.setTimer(ms, () => {
      this.looking = this.guarded(() => this.look()).finally(() => {
        this.looking = undefined;
        if (!this.closed) this.schedule(LOOK_MS);
      });
    });
  }

  private async look(): Promise<void> {
    const { workers, admission } = this.options;
    for (const node of await workers.lost()) await this.lose(node, false);
    for (const job of await workers.unanswered(OVERDUE_MS)) await this.answer(job);
    await admission.resume(OVERDUE_MS);
    await admission.run();
    if (this.looks++ % FORGET_EVERY === 0) while ((await workers.forget()) > 0 && !this.closed);
  }

  private async nodeGone(node: string): Promise<void> {
    await this.lose(node, true);
    const { workers, service } = this.options;
    for (const { tenantId, id } of await workers.ofCallers(node)) {
      await service.cancel(tenantId, id, 'The node of its caller has stopped');
    }
  }

  private async lose(node: string, force: boolean): Promise<void> {
    const { workers, handlers, admission, events, retentionMs, log } = this.options;
    const { handler } = handlers;
    if (handler === undefined) return;
    const losses = await workers.lose(node, (job) => handler.unknownEnd(job), retentionMs, force);
    const { requeued, unknown, cancelled } = losses;
    const count = requeued.length + unknown.length + cancelled.length;
    if (count > 0) {
      const counts = { requeued: requeued.length, unknown: unknown.length, cancelled: cancelled.length };
      log.warn({ node, ...counts }, 'a worker is gone');
    }
    for (const job of [...requeued, ...unknown, ...cancelled]) events.tell(job);
    for (const job of unknown) await this.answer({ ...job, end: handler.unknownEnd(job) });
    for (const job of cancelled) await this.answer({ ...job, end: undefined });
    for (const job of [...unknown, ...cancelled]) handler.ended(job as JobRecord);
    if (count > 0) await admission.run();
  }

  private async answer(job: EndedRecord): Promise<void> {
    const { handlers, repository, events } = this.options;
    if (handlers.handler === undefined) return;
    if (job.end === undefined) await handlers.handler.leave(job);
    else await handlers.handler.answer(job, job.end);
    await repository.answered(job.id);
    // Whoever stored the end may have died before it was told.
    events.tell(job);
  }

  private async guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (err) {
      if (!this.closed) this.options.log.warn({ err }, 'jobs of a process that is gone could not be looked after');
    }
  }
}
