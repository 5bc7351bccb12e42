import {
  type BackendFactory,
  type ConnectionOptions,
  createPostgresBackend,
  type Job,
  Queue,
  WaitingError,
  Worker,
} from 'bullmq';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { reconnectDelayMs } from '../../../infra/redis/redis-clients.js';
import type { JobTransport } from './job-transport.js';

const QUEUE = 'jobs';
/** A worker that is lost leaves its ids to others after this and one look for them more. */
const LOCK_MS = 10_000;
const STALLED_LOOK_MS = 5_000;
/** What failed because the connection broke is tried again after this. */
const AGAIN_MS = 1_000;
/** Our row decides whether a job may run again: the queue never gives one up. */
const NEVER = 1_000_000;
/** What was told to end has this to do so when the process stops. */
const LAST_MS = 1_000;
/** Of what is over the queue keeps nothing: the row is there. */
const FORGET = { removeOnComplete: true, removeOnFail: true };

export interface BullmqOptions {
  readonly connection: ConnectionOptions;
  /** For the worker, which waits on its connection; the same without it. Closed with the transport. */
  readonly workerConnection?: () => Redis | Cluster;
  readonly prefix?: string;
  /** Redis without it. */
  readonly backend?: BackendFactory;
  readonly lockMs?: number;
  readonly stalledLookMs?: number;
  readonly onFault: (error: unknown) => void;
}

/** BullMQ on either of its backends, as a carrier of ids. */
export class BullmqTransport implements JobTransport {
  private readonly queue: Queue;
  private worker: Worker | undefined;
  private take: ((jobId: string) => Promise<boolean>) | undefined;
  private slots = 0;
  /** Ids are to be taken, now or as soon as there is room. */
  private wanted = false;
  /** Ids that the worker holds, and those that resting ones do. */
  private held = { count: 0, resting: false };
  private heldBefore = 0;
  /** Workers that take no more ids, and have not ended. */
  private readonly ending = new Set<Promise<void>>();
  private workerSocket: Redis | Cluster | undefined;

  constructor(private readonly options: BullmqOptions) {
    const { connection, prefix, backend, onFault } = options;
    const queueOptions = { connection, ...(prefix && { prefix }), defaultJobOptions: FORGET };
    // The classes are typed by their backend, which here is either.
    this.queue = new Queue(QUEUE, queueOptions, backend as never) as unknown as Queue;
    this.queue.on('error', onFault);
  }

  async add(jobId: string): Promise<void> {
    await this.queue.add('run', null, { jobId });
  }

  async remove(jobId: string): Promise<boolean> {
    const job = await this.queue.getJob(jobId);
    if (job === undefined || (await job.isActive())) return false;
    // A worker may have taken it since: it is not removed then, which this says and `job.remove` throws.
    return (await this.queue.remove(jobId)) === 1;
  }

  async work(take: (jobId: string) => Promise<boolean>, slots: number): Promise<void> {
    this.workerSocket = this.options.workerConnection?.();
    this.workerSocket?.on('error', this.options.onFault);
    this.take = take;
    this.slots = slots;
    await this.resume();
  }

  /**
   * A paused worker of BullMQ still takes the id that it waits for, and nobody else hears of it: this one ends instead,
   * when what it has taken has.
   */
  async rest(): Promise<void> {
    const { worker } = this;
    this.wanted = false;
    if (worker === undefined) return;
    this.worker = undefined;
    const ending: Promise<void> = worker
      .close()
      .catch(this.options.onFault)
      .finally(() => void this.ending.delete(ending));
    this.ending.add(ending);
    this.heldBefore += this.held.count;
    this.held.resting = true;
  }

  async resume(): Promise<void> {
    if (this.take === undefined) return;
    this.wanted = true;
    this.useRoom();
    await this.worker?.waitUntilReady();
  }

  /** What a resting worker still holds takes the room of the one that follows it, which begins when there is some. */
  private useRoom(): void {
    const { take, worker } = this;
    const room = this.slots - this.heldBefore;
    if (!this.wanted || take === undefined || room < 1) return;
    if (worker !== undefined) {
      worker.concurrency = room;
      return;
    }
    const held = { count: 0, resting: false };
    this.held = held;
    this.worker = this.newWorker(async (id) => {
      held.count += 1;
      if (held.resting) this.heldBefore += 1;
      try {
        return await take(id);
      } finally {
        held.count -= 1;
        if (held.resting) this.heldBefore -= 1;
        this.useRoom();
      }
    }, room);
  }

  async close(): Promise<void> {
    this.wanted = false;
    // What is still running was given up in its row: the queue need not wait for it.
    await within(LAST_MS, this.worker?.close(true));
    await within(LAST_MS, Promise.all(this.ending));
    await within(LAST_MS, this.queue.close());
    this.workerSocket?.disconnect();
    const { connection } = this.options;
    if (connection instanceof Redis || connection instanceof Cluster) connection.disconnect();
  }

  private newWorker(take: (jobId: string) => Promise<boolean>, slots: number): Worker {
    const { prefix, backend, lockMs = LOCK_MS, stalledLookMs = STALLED_LOOK_MS, onFault } = this.options;
    const connection = (this.workerSocket ?? this.options.connection) as ConnectionOptions;
    const worker = new Worker(
      QUEUE,
      (job, token) => taken(job, token, take),
      {
        connection,
        ...(prefix && { prefix }),
        concurrency: slots,
        lockDuration: lockMs,
        stalledInterval: stalledLookMs,
        maxStalledCount: NEVER,
        runRetryDelay: AGAIN_MS,
        removeOnComplete: { count: 0 },
        removeOnFail: { count: 0 },
      },
      backend as never,
    ) as unknown as Worker;
    worker.on('error', onFault);
    return worker;
  }
}

async function within(ms: number, done: Promise<unknown> | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([done, over]);
  clearTimeout(timer);
}

async function taken(job: Job, token: string | undefined, take: (jobId: string) => Promise<boolean>): Promise<void> {
  if (job.id === undefined || (await take(job.id))) return;
  await job.moveToWait(token);
  // Not an end: it waits again, for whoever takes it next.
  throw new WaitingError();
}

/** The queue in Postgres, as the application's role. */
export function postgresTransport(
  databaseUrl: string,
  role: string,
  onFault: (error: unknown) => void,
  times: Pick<BullmqOptions, 'lockMs' | 'stalledLookMs'> = {},
): BullmqTransport {
  const connection = {
    connectionString: databaseUrl,
    schema: 'bullmq',
    options: `-c role=${role}`,
    max: 4,
    application_name: 'gantry queue',
  } as unknown as ConnectionOptions;
  return new BullmqTransport({ connection, backend: createPostgresBackend as BackendFactory, onFault, ...times });
}

const QUEUE_SOCKET: RedisOptions = { connectTimeout: 5_000, keepAlive: 10_000, retryStrategy: reconnectDelayMs };
/** A worker waits for ids without an end in sight; it asks again so often that a dead connection shows within this. */
const WORKER_SOCKET: RedisOptions = { ...QUEUE_SOCKET, maxRetriesPerRequest: null, socketTimeout: 20_000 };
/** Whoever adds an id is not kept waiting: its row waits instead. */
const ADDER_SOCKET: RedisOptions = {
  ...QUEUE_SOCKET,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  commandTimeout: 2_000,
};

/** The queue in Redis, or in a Redis Cluster, where all its keys share a slot. */
export function redisTransport(
  urls: readonly string[],
  onFault: (error: unknown) => void,
  times: Pick<BullmqOptions, 'lockMs' | 'stalledLookMs'> = {},
): BullmqTransport {
  const connect = (options: RedisOptions) =>
    urls.length === 1
      ? new Redis(urls[0] as string, options)
      : new Cluster([...urls], { redisOptions: options, clusterRetryStrategy: reconnectDelayMs });
  return new BullmqTransport({
    connection: connect(ADDER_SOCKET),
    workerConnection: () => connect(WORKER_SOCKET),
    prefix: '{gantry}:jobs',
    onFault,
    ...times,
  });
}
