import type { Clock, Timer } from '@gantry/mcp-core';
import type { NodeCalls } from '../../../infra/nodes/node-calls.js';
import type { Log } from '../../../infra/tokens.js';
import type { Admission } from '../admission/admission.js';
import type { JobEvents } from '../job-events.js';
import type { JobHandler } from '../job-handler.js';
import { CANCEL_OPERATION } from '../jobs.service.js';
import { type JobRepository, WORKER_LEASE_MS } from '../store/job.repository.js';
import type { ClaimedRow, WorkerRepository } from '../store/worker.repository.js';
import { jobOf } from '../transport/delivery.js';
import type { JobTransport } from '../transport/job-transport.js';
import { ClaimedRun } from './claimed-run.js';
import type { LostJobs } from './lost-jobs.js';
import { pause } from './pause.js';

/** Well within the lease, and within what a lost cancel may cost. */
const BEAT_MS = 1_000;
/** An id that could not be taken is not taken again before this. */
const TAKE_AGAIN_MS = 1_000;
/** What was told to stop at the very end has this to do so. */
const LAST_MS = 500;
/** What was handed back has this to get to the queue; later the keeper of another node brings it there. */
const HAND_OVER_MS = 2_000;

export interface JobWorkerOptions {
  readonly node: string;
  readonly slots: number;
  readonly repository: JobRepository;
  readonly workers: WorkerRepository;
  readonly transport: JobTransport;
  readonly admission: Admission;
  readonly handler: JobHandler;
  readonly lost: LostJobs;
  readonly events: JobEvents;
  readonly calls: Pick<NodeCalls, 'answer'>;
  readonly clock: Clock;
  readonly log: Log;
  /** How long what is over is kept, in milliseconds. */
  readonly retentionMs: number;
}

/** An id from before its claim until nothing of it runs here. */
interface Taken {
  readonly id: string;
  /** Resolves when nothing of it runs here any more. */
  readonly over: Promise<void>;
  run?: ClaimedRun;
  /** Why it is cancelled, said before the answer to its claim came. */
  cancelled?: string;
}

/** Takes ids from the queue, claims their rows and runs them. */
export class JobWorker {
  private readonly taken = new Set<Taken>();
  private beatenAt = Number.NEGATIVE_INFINITY;
  private timer: Timer | undefined;
  private lapse: Timer | undefined;
  private beating: Promise<void> | undefined;
  private taking = false;
  private resting = false;
  private closed = false;
  private stopAnswering = () => {};

  constructor(private readonly options: JobWorkerOptions) {}

  /** Jobs that run here now. */
  get active(): number {
    return this.runs.length;
  }

  /** It takes jobs, and its lease stands. */
  get ready(): boolean {
    return this.taking && !this.resting && this.leaseStands;
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
    this.taking = true;
    // Its slots count from now on.
    await this.beat();
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
   * Ends the worker: what may be repeated is handed back at once, the rest has its grace. What is not done then is given
   * up, and its callers are told.
   */
  async close(graceMs: number): Promise<void> {
    const { transport, admission, log } = this.options;
    await this.rest().catch((err: unknown) => log.warn({ err }, 'the queue could not be told that this worker rests'));
    for (const run of this.runs) if (run.job.repeatable) run.handBack();
    await this.within(
      graceMs,
      [...this.taken].map(({ over }) => over),
    );
    this.closed = true;
    this.timer?.cancel();
    this.lapse?.cancel();
    this.stopAnswering();
    await this.giveUp();
    // What was handed back goes to the queue while there still is one.
    await this.within(HAND_OVER_MS, [admission.run()]);
    await transport.close().catch((err: unknown) => log.warn({ err }, 'the queue could not be closed'));
  }

  /** From here on the process is gone as far as jobs are concerned, whatever still runs in it. */
  private async giveUp(): Promise<void> {
    const { workers, node, lost, log } = this.options;
    for (const run of this.runs) run.abandon();
    const beaten = this.beating?.catch(() => undefined) ?? Promise.resolve();
    await this.within(LAST_MS, [...this.runs.map(({ done }) => done), beaten]);
    try {
      await workers.leave(node);
      await lost.ofNode(node);
    } catch (err) {
      log.warn({ err }, 'what this worker ran is left to those who find it gone');
    }
  }

  private async within(ms: number, ends: readonly Promise<void>[]): Promise<void> {
    let timer: Timer | undefined;
    const over = new Promise<void>((resolve) => {
      timer = this.options.clock.setTimer(ms, resolve);
    });
    await Promise.race([Promise.all(ends), over]);
    timer?.cancel();
  }

  /** True when the work has stopped; it may have before. */
  private async cancel(id: string, reason: string): Promise<boolean> {
    const meant = [...this.taken].filter((taken) => taken.id === id);
    for (const taken of meant) if (taken.run === undefined) taken.cancelled = reason;
    await Promise.all(meant.map(({ run }) => run?.cancel(reason)));
    return true;
  }

  /** False for an id that another worker, or this one later, should have. */
  private async take(id: string): Promise<boolean> {
    const { repository, node, log, clock, admission } = this.options;
    if (this.resting) return false;
    let end = () => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    const taken: Taken = { id, over };
    this.taken.add(taken);
    try {
      if (!this.leaseStands) throw new Error('the lease of this worker has lapsed');
      const job = await repository.claim(id, node);
      if (job === undefined) return true;
      // A process that was given up runs nothing that it hears of only now.
      const leaseStands = () => this.leaseStands && !this.closed;
      taken.run = new ClaimedRun(job, { ...this.options, leaseStands });
      // It rests since it asked for it: another one begins it.
      if (this.resting) taken.run.handBack();
      if (this.closed) taken.run.abandon();
      if (taken.cancelled !== undefined) void taken.run.cancel(taken.cancelled);
      await taken.run.run();
      return true;
    } catch (err) {
      log.error({ err, job: id }, 'a job could not be run to its end');
      // Whatever it was is not over at once.
      await pause(clock, TAKE_AGAIN_MS);
      return false;
    } finally {
      this.taken.delete(taken);
      end();
      void admission.run();
    }
  }

  private get runs(): readonly ClaimedRun[] {
    return [...this.taken].flatMap(({ run }) => (run === undefined ? [] : [run]));
  }

  private get leaseStands(): boolean {
    return this.options.clock.now() - this.beatenAt < WORKER_LEASE_MS;
  }

  private schedule(): void {
    if (this.closed) return;
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
    if (!this.leaseStands) this.loseAll();
    const held = this.runs;
    const { cancels, mine } = await workers.beat(node, this.taking && !this.resting ? slots : 0);
    this.beatenAt = sentAt;
    this.watchLease();
    for (const { id, reason } of cancels) void this.cancel(id, reason);
    this.giveBackStrays(mine);
    for (const run of held) if (!mine.some((row) => isOf(row, run))) await this.checkClaim(run);
  }

  /** Also while a beat is under way that is never answered. */
  private watchLease(): void {
    this.lapse?.cancel();
    const leftMs = this.beatenAt + WORKER_LEASE_MS - this.options.clock.now();
    this.lapse = this.closed ? undefined : this.options.clock.setTimer(leftMs, () => this.loseAll());
  }

  private loseAll(): void {
    for (const run of this.runs) run.lose('the lease has lapsed');
  }

  /**
   * Rows that are claimed for this process and that it does not run: their claim was not heard of, or they were let go of
   * when the lease lapsed. Nobody else would look at them, since this process lives.
   */
  private giveBackStrays(mine: readonly ClaimedRow[]): void {
    const { lost, node, log } = this.options;
    const strays = mine.filter(({ id }) => ![...this.taken].some((taken) => taken.id === id));
    if (strays.length === 0) return;
    lost.ofClaims(node, strays).catch((err: unknown) => log.warn({ err }, 'claimed jobs could not be given back'));
  }

  /** The row is not this worker's in what the beat has read; it may have ended between. */
  private async checkClaim(run: ClaimedRun): Promise<void> {
    const { job } = run;
    const row = await this.options.repository.get(job.tenantId, job.id);
    const { node, attempts, status, finishedAt } = row ?? {};
    const mine = node === this.options.node && attempts === job.attempts;
    if (!mine || (status !== 'running' && status !== 'input_required' && finishedAt === undefined)) {
      run.lose('its claim was taken');
    }
  }
}

function isOf({ id, attempt }: ClaimedRow, { job }: ClaimedRun): boolean {
  return id === job.id && attempt === job.attempts;
}
