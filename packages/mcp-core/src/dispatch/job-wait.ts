import { MCP_CODES, MCPError } from '../jsonrpc/errors.js';
import type { Timer } from '../ports/clock.js';
import type { Job, JobOwner, Jobs } from '../ports/jobs.js';
import type { Run } from './method.js';
import { invalidParams } from './request-context.js';

/** A change that its process stored and died before telling is found after this long, in milliseconds. */
const RECHECK_MS = 10_000;
const MAX_ID_LENGTH = 256;

/** The jobs of the request's host. Only where a method has been found to be served. */
export function jobsOf({ extra }: Run): Jobs {
  const { jobs } = extra.host;
  if (jobs === undefined) throw new Error('the host keeps no jobs');
  return jobs;
}

export function ownerOf({ extra }: Run): JobOwner {
  return { server: extra.host.server, owner: extra.host.owner };
}

/** @throws MCPError -32602 for an id that is unknown, expired or not the caller's */
export async function taskOf(run: Run, params: Readonly<Record<string, unknown>>): Promise<Job> {
  const { taskId } = params;
  if (typeof taskId !== 'string') throw invalidParams('taskId must be a string');
  const job = taskId.length > MAX_ID_LENGTH ? undefined : await jobsOf(run).get(ownerOf(run), taskId);
  if (job === undefined || job.face !== 'task') throw unknownTask();
  return job;
}

export function unknownTask(): Error {
  return invalidParams('taskId names no task of this caller; it is unknown or has expired');
}

/**
 * Looks at a job now and after each change of it, until `seen` says that it has seen enough. Undefined when the job is
 * gone. Rejects when the request is cancelled.
 * @param withinMs the job as it stands after this long is enough as well
 */
export async function watchJob(
  run: Run,
  id: string,
  seen: (job: Job) => boolean,
  withinMs?: number,
): Promise<Job | undefined> {
  const bell = new JobBell(run, id, withinMs);
  try {
    for (;;) {
      run.signal.throwIfAborted();
      bell.reset();
      const job = await jobsOf(run).get(ownerOf(run), id);
      if (job === undefined || seen(job) || bell.late) return job;
      await bell.rung();
    }
  } finally {
    bell.stop();
  }
}

/** Rings when a job may have changed, the request is over, or time is up. What rings before it is waited for counts. */
class JobBell {
  late = false;
  #rung = false;
  #wake = () => {};
  #recheck: Timer | undefined;
  readonly #deadline: Timer | undefined;
  readonly #unsubscribe: () => void;

  constructor(
    private readonly run: Run,
    id: string,
    withinMs: number | undefined,
  ) {
    const { desk, host, clock } = run.extra;
    if (desk === undefined) throw new MCPError(MCP_CODES.INTERNAL_ERROR, 'Jobs are not served on this connection');
    this.#unsubscribe = desk.changes.subscribe(
      host.server,
      (change) => {
        if (change.kind === 'task' && change.id === id) this.#ring();
      },
      this.#ring,
    );
    run.signal.addEventListener('abort', this.#ring, { once: true });
    if (withinMs !== undefined) {
      this.#deadline = clock.setTimer(withinMs, () => {
        this.late = true;
        this.#ring();
      });
    }
  }

  reset(): void {
    this.#rung = false;
  }

  async rung(): Promise<void> {
    if (this.#rung) return;
    this.#recheck = this.run.extra.clock.setTimer(RECHECK_MS, this.#ring);
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#recheck.cancel();
  }

  stop(): void {
    this.#unsubscribe();
    this.#deadline?.cancel();
    this.#recheck?.cancel();
    this.run.signal.removeEventListener('abort', this.#ring);
  }

  readonly #ring = (): void => {
    this.#rung = true;
    this.#wake();
  };
}
