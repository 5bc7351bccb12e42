import type { Json } from './json.js';

/*
 * Shapes of the tasks extension of 2026-07-28, which the revision's own schema does not hold: written from the text of
 * the extension.
 */

const STATUSES = ['working', 'input_required', 'completed', 'failed', 'cancelled'];
const BY_STATUS: Readonly<Record<string, string>> = {
  input_required: 'inputRequests',
  completed: 'result',
  failed: 'error',
};
const ENVELOPE = ['resultType', '_meta'];
const HEAD = ['taskId', 'status', 'statusMessage', 'createdAt', 'lastUpdatedAt', 'ttlMs', 'pollIntervalMs'];

/** What is wrong with a task as a client is shown it. `created`: it is the answer to its call, and has no end yet. */
export function faultOfTask(task: Json, created: boolean): string | undefined {
  if (typeof task?.taskId !== 'string') return 'a task without taskId';
  if (!STATUSES.includes(task.status)) return `status ${task.status}`;
  for (const member of ['createdAt', 'lastUpdatedAt']) {
    if (new Date(task[member]).toISOString?.() !== task[member]) return `${member} is no time`;
  }
  if (task.ttlMs !== null && !Number.isInteger(task.ttlMs)) return `ttlMs ${task.ttlMs}`;
  if (!(task.pollIntervalMs > 0)) return `pollIntervalMs ${task.pollIntervalMs}`;
  const inside = created ? undefined : BY_STATUS[task.status];
  if (inside !== undefined && !(inside in task)) return `${task.status} without ${inside}`;
  const foreign = Object.keys(task).find((key) => ![...ENVELOPE, ...HEAD, inside].includes(key));
  return foreign === undefined ? undefined : `a task with ${foreign}`;
}

/** What is wrong with the result of a method of the extension; undefined as well for methods that are none of it. */
export function faultOfTaskResult(method: string, result: Json): string | undefined {
  if (method === 'tools/call') return faultOfTask(result, true);
  if (result.resultType !== 'complete') return `resultType is ${result.resultType}`;
  if (method === 'tasks/get') return faultOfTask(result, false);
  const foreign = Object.keys(result).find((key) => !ENVELOPE.includes(key));
  return foreign === undefined ? undefined : `${method} is only acknowledged, and has ${foreign}`;
}

export const TASK_METHODS = ['tasks/get', 'tasks/update', 'tasks/cancel'];
