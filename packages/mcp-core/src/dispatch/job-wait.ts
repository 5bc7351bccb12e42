import type { Job, JobOwner, Jobs } from '../ports/jobs.js';
import type { Run } from './method.js';
import { invalidParams } from './request-context.js';

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
  const job = taskId.length > 256 ? undefined : await jobsOf(run).get(ownerOf(run), taskId);
  if (job === undefined || job.face !== 'task') throw unknownTask();
  return job;
}

export function unknownTask(): Error {
  return invalidParams('taskId names no task of this caller; it is unknown or has expired');
}

/**
 * Looks at a job now and after each change of it, until `seen` says that it has seen enough. Undefined when the job is
 * gone. Rejects when the request is cancelled.
 */
export async function watchJob(run: Run, id: string, seen: (job: Job) => boolean): Promise<Job | undefined> {
  const { host, desk } = run.extra;
  let rung = false;
  let wake = () => {};
  const ring = () => {
    rung = true;
    wake();
  };
  const stop = desk?.changes.subscribe(
    host.server,
    (change) => {
      if (change.kind === 'task' && change.id === id) ring();
    },
    ring,
  );
  run.signal.addEventListener('abort', ring, { once: true });
  try {
    for (;;) {
      run.signal.throwIfAborted();
      rung = false;
      const job = await jobsOf(run).get(ownerOf(run), id);
      if (job === undefined || seen(job)) return job;
      if (rung) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    stop?.();
    run.signal.removeEventListener('abort', ring);
  }
}
