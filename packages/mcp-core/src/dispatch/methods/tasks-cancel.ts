import { isJobOver } from '../../ports/jobs.js';
import { requireTasks } from '../job-plan.js';
import { jobsOf, ownerOf, taskOf, unknownTask, watchJob } from '../job-wait.js';
import type { Method } from '../method.js';
import { invalidParams } from '../request-context.js';
import { taskState } from '../task-state.js';
import { shownTask } from './tasks-get.js';

/**
 * 2025-11-25 answers with the task when it is cancelled, which it counts as once its work has stopped, and refuses one
 * that is over; the extension of 2026-07-28 only acknowledges, as often as it is asked.
 */
export const tasksCancel: Method = {
  name: 'tasks/cancel',
  needs: 'tasks',
  async answer(params, run) {
    const { revision, server } = run.extra;
    requireTasks(run.extra, 'tasks/cancel');
    const task = await taskOf(run, params);
    const acknowledges = revision.tasks?.decidedBy === 'server';
    if (isJobOver(task.status)) {
      if (acknowledges) return revision.envelope(server.implementation);
      throw invalidParams(`the task is ${taskState(task).status} already`);
    }
    const asked = await jobsOf(run).cancel(ownerOf(run), task.id, 'The client cancelled the task');
    if (asked === undefined) throw unknownTask();
    if (acknowledges) return revision.envelope(server.implementation);
    const { requestTimeoutMs } = server.snapshot.settings;
    const job = await watchJob(run, task.id, ({ status }) => isJobOver(status), requestTimeoutMs);
    if (job === undefined) throw unknownTask();
    return shownTask(run, taskState(job));
  },
};
