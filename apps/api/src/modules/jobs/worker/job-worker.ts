import type { Clock, JobRunEnd, Timer } from '@gantry/mcp-core';
import type { NodeCalls } from '../../../infra/nodes/node-calls.js';
import type { Log } from '../../../infra/tokens.js';
import type { Admission } from '../admission/admission.js';
import type { JobEvents } from '../job-events.js';
import type { JobHandler } from '../job-handler.js';
import { CANCEL_OPERATION } from '../jobs.service.js';
import { type Claim, type JobRepository, WORKER_LEASE_MS } from '../store/job.repository.js';
import type { JobRecord } from '../store/job-record.js';
import type { WorkerRepository } from '../store/worker.repository.js';
import { jobOf } from '../transport/delivery.js';
import type { JobTransport } from '../transport/job-transport.js';
import { ProgressNotes } from './progress-notes.js';

/** Well within the lease, and within what a lost cancel may cost. */
const BEAT_MS = 1_000;

export interface JobWorkerOptions {
  readonly node: string;
  readonly slots: number;
  readonly repository: JobRepository;
  readonly workers: WorkerRepository;
  readonly transport: JobTransport;
  readonly admission: Admission;
  readonly handler: JobHandler;
  readonly events: JobEvents;
  readonly calls: Pick<NodeCalls, 'answer'>;
  readonly clock: Clock;
  readonly log: Log;
  /** How long what is over is kept, in milliseconds. */
  readonly retentionMs: number;
}

interface Running {
  readonly job: JobRecord;
  readonly controller: AbortController;
  readonly done: Promise<void>;
  /** The claim stands, as far as is known. */
  mine: boolean;
  /** Given back instead of ended. */
  handedBack: boolean;
}

class LostError extends Error {}

/** Takes ids from the queue, claims their rows and runs them. */
export class JobWorker {
  private readonly running = new Map<string, Running>();
  private beatenAt = Number.NEGATIVE_INFINITY;
  private timer: Timer | undefined;
  private beating: Promise<void> | undefined;
  private resting = false;
  private stopAnswering = () => {};

  constructor(private readonly options: JobWorkerOptions) {}

  /** Jobs that run here now. */
  get active(): number {
    return this.running.size;
  }

  /** It takes jobs, and its lease stands. */
  get ready(): boolean {
    return !this.resting && this.leaseStands;
  }

  async start(): Promise<void> {
    const { transport, slots, calls, admission } = this.options;
    this.stopAnswering = calls.answer(CANCEL_OPERATION, (body) => {
      const { id, reason } = body as { id: string; reason: string };
      return this.cancel(id, reason);
    });
    await this.beat();
    this.schedule();
    await transport.work((delivery) => this.take(jobOf(delivery)), slots);
    void admission.run();
  }

  /** Takes no more jobs; those that run go on. */
  async rest(): Promise<void> {
    this.resting = true;
    await this.options.transport.rest();
  }

  /** Takes jobs again. */
  async resume(): Promise<void> {
    this.resting = false;
    await this.options.transport.resume();
    await this.options.admission.run();
  }

  /**
   * Ends the worker: what may be repeated is handed back at once, the rest has its grace. What is not done then is left
   * to whoever finds this process gone.
   */
  async close(graceMs: number): Promise<void> {
    const { transport, workers, node, clock, admission, log } = this.options;
    await this.rest().catch((err: unknown) => log.warn({ err }, 'the queue could not be told that this worker rests'));
    const all = [...this.running.values()];
    for (const one of all) if (one.job.repeatable) this.handBack(one);
    let timer: Timer | undefined;
    const grace = new Promise<void>((resolve) => {
      timer = clock.setTimer(graceMs, resolve);
    });
    await Promise.race([Promise.all(all.map(({ done }) => done)), grace]);
    timer?.cancel();
    this.timer?.cancel();
    this.stopAnswering();
    for (const one of this.running.values()) this.lose(one, 'the worker stops');
    await this.beating?.catch(() => undefined);
    if (this.running.size === 0) await workers.leave(node).catch(() => undefined);
    // What was handed back goes to the queue while there still is one.
    await admission.run();
    await transport.close().catch((err: unknown) => log.warn({ err }, 'the queue could not be closed'));
  }

  /** True when the work has stopped; it may have before. */
  private async cancel(id: string, reason: string): Promise<boolean> {
    const one = this.running.get(id);
    one?.controller.abort(new Error(reason || 'The job was cancelled'));
    await one?.done;
    return true;
  }

  private async take(id: string): Promise<void> {
    const { repository, node, log } = this.options;
    try {
      if (this.resting) return;
      const job = await repository.claim(id, node);
      if (job === undefined) return;
      await this.claimed(job);
    } catch (err) {
      log.error({ err, job: id }, 'a job could not be run to its end');
    }
  }

  private async claimed(job: JobRecord): Promise<void> {
    const controller = new AbortController();
    let finish = () => {};
    const done = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const one: Running = { job, controller, done, mine: true, handedBack: false };
    this.running.set(job.id, one);
    this.options.events.tell(job);
    try {
      await this.run(one);
    } finally {
      this.running.delete(job.id);
      finish();
      void this.options.admission.run();
    }
  }

  private async run(one: Running): Promise<void> {
    const { handler, repository, clock, events, retentionMs, log } = this.options;
    const { job, controller } = one;
    const claim: Claim = { id: job.id, node: this.options.node, attempt: job.attempts };
    const notes = new ProgressNotes(clock, async (done, total, message) => {
      if (!(await repository.progress(claim, done, total, message))) this.lose(one, 'its claim was taken');
      else events.tell(job);
    });
    const isMine = () => one.mine && !one.handedBack && this.leaseStands;
    const end = await handler.run(job, controller.signal, isMine, (...said) => notes.note(...said));
    const last = await notes.end();
    if (one.handedBack) {
      await repository.handBack(claim);
      events.tell({ ...job, status: 'queued' });
      return;
    }
    if (!one.mine) return;
    const stored = await repository.finish(claim, end, retentionMs, last);
    if (stored === undefined) return log.warn({ job: job.id }, 'the end of a job was not stored: its claim was taken');
    events.tell(stored);
    await this.tellCaller(stored, end);
  }

  private async tellCaller(job: JobRecord, end: JobRunEnd): Promise<void> {
    const { handler, repository } = this.options;
    if (end.kind === 'asks') return handler.ask(job, end.questions);
    handler.ended(job);
    if (end.kind === 'cancelled') await handler.leave(job);
    else await handler.answer(job, end.end);
    await repository.answered(job.id);
  }

  private handBack(one: Running): void {
    one.handedBack = true;
    one.controller.abort(new Error('The worker stops'));
  }

  /** Whatever runs says nothing more, and its end is nobody's. */
  private lose(one: Running, why: string): void {
    if (!one.mine) return;
    one.mine = false;
    this.options.log.warn({ job: one.job.id }, `a job was let go of: ${why}`);
    one.controller.abort(new LostError(why));
  }

  private get leaseStands(): boolean {
    return this.options.clock.now() - this.beatenAt < WORKER_LEASE_MS;
  }

  private schedule(): void {
    this.timer = this.options.clock.setTimer(BEAT_MS, () => {
      this.beating = this.beat()
        .catch((err: unknown) => this.options.log.warn({ err }, "a worker's lease could not be renewed"))
        .finally(() => this.schedule());
    });
  }

  private async beat(): Promise<void> {
    const { workers, node, slots, clock } = this.options;
    const sentAt = clock.now();
    // Frozen for longer than its lease: what it ran may be somebody else's by now.
    if (Number.isFinite(this.beatenAt) && !this.leaseStands) {
      for (const one of this.running.values()) this.lose(one, 'the lease has lapsed');
    }
    const held = [...this.running.keys()];
    const { cancels, mine } = await workers.beat(node, this.resting ? 0 : slots);
    this.beatenAt = sentAt;
    for (const { id, reason } of cancels) void this.cancel(id, reason);
    for (const id of held) {
      const one = this.running.get(id);
      if (one !== undefined && !mine.includes(id) && !one.controller.signal.aborted) await this.checkClaim(one);
    }
  }

  /** The row is not this worker's in what the beat has read; it may have ended between. */
  private async checkClaim(one: Running): Promise<void> {
    const row = await this.options.repository.get(one.job.tenantId, one.job.id);
    if (this.running.get(one.job.id) !== one) return;
    const { node, status, attempts } = row ?? {};
    const stands = node === this.options.node && status === 'running' && attempts === one.job.attempts;
    const ending = row?.finishedAt !== undefined && attempts === one.job.attempts && node === this.options.node;
    if (!stands && !ending) this.lose(one, 'its claim was taken');
  }
}
