import { randomUUID } from 'node:crypto';
import type { Clock, JobRunEnd } from '@gantry/mcp-core';
import { FakeClock } from '@gantry/mcp-core/testing';
import { Admission } from '../../src/modules/jobs/admission/admission.js';
import { AdmissionRepository } from '../../src/modules/jobs/admission/admission.repository.js';
import { JobEvents } from '../../src/modules/jobs/job-events.js';
import type { JobHandler } from '../../src/modules/jobs/job-handler.js';
import { JobHandlers } from '../../src/modules/jobs/job-handlers.js';
import { JobRepository } from '../../src/modules/jobs/store/job.repository.js';
import type { JobRecord, NewJob } from '../../src/modules/jobs/store/job-record.js';
import { WorkerRepository } from '../../src/modules/jobs/store/worker.repository.js';
import type { JobTransport } from '../../src/modules/jobs/transport/job-transport.js';
import { JobWorker } from '../../src/modules/jobs/worker/job-worker.js';
import { LostJobs } from '../../src/modules/jobs/worker/lost-jobs.js';
import { Arrivals } from '../wire/deadline.js';
import type { TestDatabase } from './database.js';

const KEPT_MS = 60_000;
const LIMITS = { queued: 1_000, concurrent: 50, keyMs: 60_000 };
const SLOTS = 4;
const TURN_MS = 5;

type Told = 'answer' | 'leave' | 'ask';

/** A run that waits to be told how it ends. */
export class HeldRun {
  private settle: (end: JobRunEnd | Promise<never>) => void = () => {};
  readonly ended = new Promise<JobRunEnd>((resolve) => {
    this.settle = resolve;
  });

  constructor(
    readonly job: JobRecord,
    readonly signal: AbortSignal,
    readonly isMine: () => boolean,
    private readonly told: (done: number, total: number | undefined, message: string | undefined) => void,
  ) {}

  progressed(done: number): void {
    this.told(done, undefined, undefined);
  }

  end(end: JobRunEnd): void {
    this.settle(end);
  }

  fail(error: Error): void {
    this.settle(Promise.reject(error));
  }

  aborted(): Promise<void> {
    if (this.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => this.signal.addEventListener('abort', () => resolve(), { once: true }));
  }
}

/** Hands ids to the one worker of this process, and puts nothing back. */
class DirectTransport implements JobTransport {
  private take: ((delivery: string) => Promise<boolean>) | undefined;
  private readonly waiting: string[] = [];

  async add(delivery: string): Promise<void> {
    if (this.take === undefined) this.waiting.push(delivery);
    else void this.take(delivery);
  }

  /** Gives what the worker says of an id; time passes until it does. */
  async offer(id: string, clock: FakeClock): Promise<boolean | undefined> {
    let said: boolean | undefined;
    const taken = this.take?.(`${id}.0`).then((answer) => {
      said = answer;
    });
    while (said === undefined) await pass(clock, 100);
    await taken;
    return said;
  }

  async work(take: (delivery: string) => Promise<boolean>): Promise<void> {
    this.take = take;
    for (const delivery of this.waiting.splice(0)) void take(delivery);
  }

  remove = async () => false;
  rest = async () => {};
  resume = async () => {};
  close = async () => {};
}

/** Lets time pass, and what waits for something else than time happen. */
async function pass(clock: Clock, ms: number): Promise<void> {
  if (clock instanceof FakeClock) clock.advance(ms);
  await new Promise((resolve) => setTimeout(resolve, TURN_MS));
}

/** One worker on real rows, whose runs end as a test says. */
export class JobDesk {
  readonly tenantId = randomUUID();
  readonly repository: JobRepository;
  readonly workers: WorkerRepository;
  readonly transport = new DirectTransport();
  readonly admission: Admission;
  readonly lost: LostJobs;
  readonly worker: JobWorker;
  readonly handler: JobHandler;
  readonly handlers = new JobHandlers();
  private readonly runs = new Arrivals<HeldRun>();
  private readonly tellings = new Arrivals<{ readonly id: string; readonly told: Told }>();
  private cancelJob: (body: unknown) => unknown = () => undefined;

  constructor(
    private readonly db: TestDatabase,
    private readonly clock: Clock,
  ) {
    this.repository = new JobRepository(db.pool);
    this.workers = new WorkerRepository(db.pool);
    const ignore = () => {};
    const events = new JobEvents(ignore);
    const log = { debug: ignore, info: ignore, warn: ignore, error: ignore } as never;
    this.admission = new Admission({
      repository: new AdmissionRepository(db.pool),
      transport: this.transport,
      concurrent: LIMITS.concurrent,
      moved: ignore,
      onFault: ignore,
    });
    this.handler = this.heldRuns();
    this.handlers.use(this.handler);
    const { repository, workers, transport, admission, handler, handlers } = this;
    const parts = { repository, workers, transport, admission, handler, handlers, events, clock, log };
    this.lost = new LostJobs({ ...parts, retentionMs: KEPT_MS });
    this.worker = new JobWorker({
      ...parts,
      lost: this.lost,
      node: 'worker',
      slots: SLOTS,
      retentionMs: KEPT_MS,
      calls: {
        answer: (_operation, answer) => {
          this.cancelJob = (body) => answer(body, 'another');
          return ignore;
        },
      },
    });
  }

  async start(): Promise<void> {
    const { superuser } = this.db;
    await superuser.query('TRUNCATE jobs, job_results, job_attempts, job_turns, job_workers CASCADE');
    const tenant = 'INSERT INTO tenants (id, slug, name) VALUES ($1, $2, $2)';
    await superuser.query(tenant, [this.tenantId, `t-${this.tenantId.slice(0, 8)}`]);
    await this.worker.start();
  }

  async close(): Promise<void> {
    for (const run of this.runs.all) run.end({ kind: 'cancelled' });
    const closed = this.worker.close(0).then(() => true);
    while (!(await Promise.race([closed, pass(this.clock, 100)])));
  }

  submit = async (more: Partial<NewJob> = {}): Promise<string> => {
    const id = randomUUID();
    const job: NewJob = {
      id,
      tenantId: this.tenantId,
      serverId: randomUUID(),
      server: 'orders',
      revision: 1,
      tool: 'report',
      owner: 'key:k1',
      principal: 'key:k1',
      face: 'task',
      arguments: {},
      caller: {
        client: { revision: '2026-07-28', capabilities: {} },
        principal: { kind: 'key', id: 'k1', scopes: [] },
        requestId: 1,
      },
      repeatable: false,
      timeoutMs: 1_000,
      ...more,
    };
    const { outcome } = await this.repository.submit(job, LIMITS);
    if (outcome === 'admitted') await this.transport.add(`${id}.0`);
    else await this.admission.run();
    return id;
  };

  row = (id: string) => this.repository.get(this.tenantId, id);

  /** The run of an attempt, when it has begun; time passes until then. */
  run = (id: string, attempt = 1): Promise<HeldRun> =>
    this.passing(
      async () => this.runs.all.find(({ job }) => job.id === id && job.attempts === attempt),
      (run) => run !== undefined,
    ) as Promise<HeldRun>;

  /** Resolves when the caller of a job was told this. */
  told = async (id: string, told: Told): Promise<void> => {
    await this.passing(
      async () => this.tellings.all,
      (all) => all.some((one) => one.id === id && one.told === told),
    );
    await this.passing(
      () => this.row(id),
      (row) => row?.answeredAt !== undefined,
    );
  };

  /** How many runs have begun, of all jobs. */
  get begun(): number {
    return this.runs.all.length;
  }

  /** What another node is told that asks the worker to cancel a job. */
  askToCancel = (id: string) => this.cancelJob({ id, reason: 'why' });

  /** Asks the worker to cancel a job as another node does, and lets the run stop. */
  cancel = async (id: string, run: HeldRun): Promise<void> => {
    await this.repository.cancel(this.tenantId, id, 'why', KEPT_MS);
    const stopped = this.cancelJob({ id, reason: 'why' });
    await run.aborted();
    run.end({ kind: 'cancelled' });
    await stopped;
  };

  /** Lets time pass until something is so; within ten seconds. */
  async passing<T>(read: () => Promise<T>, isSo: (value: T) => boolean): Promise<T> {
    const end = performance.now() + 10_000;
    for (;;) {
      const value = await read();
      if (isSo(value)) return value;
      if (performance.now() > end) throw new Error(`still ${JSON.stringify(value)} after ten seconds`);
      await pass(this.clock, 100);
    }
  }

  /** The process stands still for this long: no timer fires meanwhile, and all that were due do at its end. */
  freeze(ms: number): void {
    const { beat } = this.workers;
    this.workers.beat = () => Promise.reject(new Error('frozen'));
    (this.clock as FakeClock).advance(ms);
    this.workers.beat = beat;
  }

  private heldRuns(): JobHandler {
    const tell = (told: Told) => async (job: { readonly id: string }) => this.tellings.add({ id: job.id, told });
    return {
      run: (job, signal, isMine, progressed) => {
        const run = new HeldRun(job, signal, isMine, progressed);
        this.runs.add(run);
        return run.ended;
      },
      answer: tell('answer'),
      leave: tell('leave'),
      ask: tell('ask'),
      waits: async () => {},
      ended: () => {},
      unknownEnd: () => ({ outcome: { content: [], isError: true } }),
    };
  }
}
