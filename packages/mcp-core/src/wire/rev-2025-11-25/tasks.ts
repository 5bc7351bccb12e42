import { TASK_POLL_MS, type TaskState } from '../../protocol/tasks.js';
import type { TaskRules } from '../revision.js';

/** Tasks as 2025-11-25 has them (basic/utilities/tasks, experimental). A tool that failed has failed its task. */
export const tasks: TaskRules = {
  decidedBy: 'client',
  capability: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
  created: (task) => ({ task: shown(task) }),
  shown,
};

function shown(task: TaskState): Record<string, unknown> {
  const { id, status, statusMessage, createdAt, updatedAt, ttlMs, outcome } = task;
  return {
    taskId: id,
    status: status === 'completed' && outcome?.isError ? 'failed' : status,
    ...(statusMessage === undefined ? {} : { statusMessage }),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ttl: ttlMs,
    pollInterval: TASK_POLL_MS,
  };
}
