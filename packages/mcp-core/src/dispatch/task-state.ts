import type { Job } from '../ports/jobs.js';
import type { TaskState } from '../protocol/tasks.js';
import { encodeJson } from '../protocol/well-formed.js';

/** A job as the task it is to its caller. */
export function taskState(job: Job): TaskState {
  const { id, statusMessage, createdAt, updatedAt, ttlMs, questions } = job;
  return {
    id,
    ...(statusMessage === undefined ? {} : { statusMessage }),
    createdAt,
    updatedAt,
    ttlMs,
    ...standing(job),
    ...(questions && { questions }),
  };
}

function standing({ status, end, statusMessage }: Job): Pick<TaskState, 'status' | 'outcome' | 'error'> {
  if (status === 'queued' || status === 'running') return { status: 'working' };
  if (status === 'input_required' || status === 'cancelled') return { status };
  if (end !== undefined && 'outcome' in end) return { status: 'completed', outcome: end.outcome };
  if (end !== undefined && 'error' in end) return { status: 'failed', error: end.error };
  // Only a call hands its questions back, and no call is shown as a task.
  const text = statusMessage ?? (end === undefined ? status : encodeJson(end));
  return { status: 'completed', outcome: { content: [{ type: 'text', text }], isError: status !== 'completed' } };
}
