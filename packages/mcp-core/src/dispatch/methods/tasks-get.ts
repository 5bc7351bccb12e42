import { requireTasks } from '../job-plan.js';
import { taskOf } from '../job-wait.js';
import type { Method, Run } from '../method.js';
import { taskState } from '../task-state.js';

export const tasksGet: Method = {
  name: 'tasks/get',
  needs: 'tasks',
  async answer(params, run) {
    requireTasks(run.extra, 'tasks/get');
    return shownTask(run, taskState(await taskOf(run, params)));
  },
};

/** A task as a result of the request's revision. */
export function shownTask({ extra }: Run, state: ReturnType<typeof taskState>): Record<string, unknown> {
  return { ...extra.revision.envelope(extra.server.implementation), ...extra.revision.tasks?.shown(state) };
}
