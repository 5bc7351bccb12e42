import { TASK_POLL_MS, type TaskState } from '../../protocol/tasks.js';
import { readableContent } from '../projection.js';
import type { TaskRules } from '../revision.js';

/** Tasks as the extension of 2026-07-28 has them: one flat object, with its end or its questions inside. */
export const tasks: TaskRules = {
  decidedBy: 'server',
  capability: {},
  created: (task) => ({ resultType: 'task', ...head(task) }),
  shown(task) {
    const { status, outcome, error, questions } = task;
    const result: Record<string, unknown> = { resultType: 'complete', ...head(task) };
    if (status === 'input_required') result.inputRequests = questions ?? {};
    if (status === 'failed') result.error = error;
    if (status === 'completed' && outcome !== undefined) {
      const { structuredContent, isError = false, _meta } = outcome;
      result.result = {
        content: readableContent(outcome),
        isError,
        ...(structuredContent === undefined ? {} : { structuredContent }),
        ...(_meta && { _meta }),
      };
    }
    return result;
  },
};

function head({ id, status, statusMessage, createdAt, updatedAt, ttlMs }: TaskState): Record<string, unknown> {
  return {
    taskId: id,
    status,
    ...(statusMessage === undefined ? {} : { statusMessage }),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ttlMs,
    pollIntervalMs: TASK_POLL_MS,
  };
}
