import type { Clock, Timer } from '@gantry/mcp-core';
import type { Log } from '../../../infra/tokens.js';
import type { NodeRegistry } from '../../nodes/node-registry.js';
import type { Admission } from '../admission/admission.js';
import type { JobsService } from '../jobs.service.js';
import type { JobName, WorkerRepository } from '../store/worker.repository.js';
import type { LostJobs } from './lost-jobs.js';
import { pause } from './pause.js';

/** How often leases are looked at: with one of 10 s, whoever is lost is known within 15 s. */
const LOOK_MS = 5_000;
/** A node that is gone by one lease is soon gone by the other one too. */
const LOOK_AGAIN_MS = 1_000;
const LOOKS_AGAIN = 10;
/** After how long an id that was handed to the queue is handed over again, and an end told again. */
const OVERDUE_MS = 15_000;
/** Whoever could not be told for this long has left. */
const TELLABLE_MS = 1_800_000;
/** So many callers are told, or jobs cancelled, at once. */
const AT_ONCE = 10;
/** How often jobs are forgotten whose time is over. */
const FORGET_EVERY = 12;

export interface JobKeeperOptions {
  /** This process. */
  readonly node: string;
  readonly workers: WorkerRepository;
  readonly admission: Admission;
  readonly service: Pick<JobsService, 'cancel'>;
  readonly lost: LostJobs;
  readonly registry: Pick<NodeRegistry, 'onGone' | 'isGone' | 'shared'>;
  readonly clock: Clock;
  readonly log: Log;
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
    this.stopListening = this.options.registry.onGone((node) => void this.nodeGone(node));
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
      this.looking = this.look().finally(() => {
        this.looking = undefined;
        if (!this.closed) this.schedule(LOOK_MS);
      });
    });
  }

  /** Each part by itself: what one of them cannot do now keeps the others from nothing. */
  private async look(): Promise<void> {
    const { workers, admission, lost } = this.options;
    await this.guarded(async () => {
      for (const node of await workers.lost()) await this.guarded(() => lost.ofNode(node));
    });
    await this.guarded(() => this.tellCallers());
    await this.guarded(async () => {
      for (const node of await workers.callerNodes()) if (this.isGone(node)) await this.leftBy(node);
    });
    await this.guarded(() => admission.resume(OVERDUE_MS));
    await this.guarded(() => admission.run());
    if (this.looks++ % FORGET_EVERY !== 0) return;
    await this.guarded(() => this.endUnheard());
    await this.guarded(async () => {
      while ((await workers.forget()) > 0 && !this.closed);
    });
  }

  private async nodeGone(node: string): Promise<void> {
    const { lost, clock } = this.options;
    const callers = this.guarded(() => this.leftBy(node));
    for (let looks = 0; looks < LOOKS_AGAIN && !this.closed; looks++) {
      const gone = await this.guarded(() => lost.ofNode(node));
      if (gone) break;
      await pause(clock, LOOK_AGAIN_MS);
    }
    await callers;
  }

  private async tellCallers(): Promise<void> {
    const { workers, lost } = this.options;
    const jobs = await workers.unanswered(OVERDUE_MS, TELLABLE_MS);
    await this.inParts(jobs, (job) => lost.tellLate(job));
  }

  /** Cancels the jobs of callers that hung on a node which is gone. */
  private async leftBy(node: string): Promise<void> {
    const { workers, service } = this.options;
    const jobs = await workers.ofCallers(node);
    await this.inParts(jobs, ({ tenantId, id }) => service.cancel(tenantId, id, 'The node of its caller has stopped'));
  }

  /** Ends jobs that nobody answers: their callers are told, and they are kept as long as any that is over. */
  private async endUnheard(): Promise<void> {
    const { workers, service } = this.options;
    const words = 'Nobody answered what it asked';
    await this.inParts(await workers.unheard(), ({ tenantId, id }) => service.cancel(tenantId, id, words, true));
  }

  /** A few at once, each by itself: one that cannot be dealt with keeps no other from it. */
  private async inParts(jobs: readonly JobName[], deal: (job: JobName) => Promise<unknown>): Promise<void> {
    for (let at = 0; at < jobs.length && !this.closed; at += AT_ONCE) {
      await Promise.all(jobs.slice(at, at + AT_ONCE).map((job) => this.guarded(() => deal(job))));
    }
  }

  /** Where nothing is shared there is one node: any other one is of the past. */
  private isGone(node: string): boolean {
    const { node: self, registry } = this.options;
    return node !== self && (registry.shared() === undefined || registry.isGone(node));
  }

  private async guarded<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (err) {
      if (!this.closed) this.options.log.warn({ err }, 'jobs of a process that is gone could not be looked after');
      return undefined;
    }
  }
}
