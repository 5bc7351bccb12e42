import type { Clock } from '@gantry/mcp-core';
import type { NodeCalls } from '../../infra/nodes/node-calls.js';
import type { Log } from '../../infra/tokens.js';
import type { NodeRegistry } from '../nodes/node-registry.js';
import type { Admission } from './admission/admission.js';
import type { QueuePlaces } from './admission/queue-places.js';
import type { JobEvents } from './job-events.js';
import type { JobHandlers } from './job-handlers.js';
import type { JobsService } from './jobs.service.js';
import type { JobRepository } from './store/job.repository.js';
import type { WorkerRepository } from './store/worker.repository.js';
import type { JobTransport } from './transport/job-transport.js';
import { JobKeeper } from './worker/job-keeper.js';
import { JobWorker } from './worker/job-worker.js';
import { LostJobs } from './worker/lost-jobs.js';

export interface JobsRuntimeOptions {
  readonly node: string;
  readonly role: 'all' | 'api' | 'worker';
  readonly slots: number;
  readonly retentionMs: number;
  readonly repository: JobRepository;
  readonly workers: WorkerRepository;
  readonly transport: JobTransport;
  readonly admission: Admission;
  readonly places: QueuePlaces;
  readonly service: JobsService;
  readonly events: JobEvents;
  readonly handlers: JobHandlers;
  readonly calls: NodeCalls;
  readonly registry: NodeRegistry;
  readonly clock: Clock;
  readonly log: Log;
}

/** The part of jobs that runs by itself: the worker, where this node is one, and the keeper, which every node has. */
export class JobsRuntime {
  private worker: JobWorker | undefined;
  private keeper: JobKeeper | undefined;
  private closing: Promise<void> | undefined;

  constructor(private readonly options: JobsRuntimeOptions) {}

  /** Whether this node takes jobs; undefined where it is not meant to. */
  get taking(): boolean | undefined {
    return this.options.role === 'api' ? undefined : (this.worker?.ready ?? false);
  }

  /** Jobs running here. */
  get active(): number {
    return this.worker?.active ?? 0;
  }

  async start(): Promise<void> {
    const { role, handlers, ...parts } = this.options;
    const lost = new LostJobs({ ...parts, handlers });
    this.keeper = new JobKeeper({ ...parts, lost });
    this.keeper.start();
    if (role === 'api') return;
    this.worker = new JobWorker({ ...parts, lost, handler: handlers.required });
    await this.worker.start();
  }

  /** Takes no more jobs, or takes them again. */
  rest(resting: boolean): void {
    const told = resting ? this.worker?.rest() : this.worker?.resume();
    told?.catch((err: unknown) => this.options.log.warn({ err }, 'the worker could not be told to rest, or to go on'));
  }

  /** May be called twice. */
  close(graceMs: number): Promise<void> {
    this.closing ??= this.end(graceMs);
    return this.closing;
  }

  private async end(graceMs: number): Promise<void> {
    this.options.places.close();
    await this.keeper?.close();
    if (this.worker === undefined) await this.options.transport.close();
    else await this.worker.close(graceMs);
  }
}
