import type { InputAnswer } from '../../ports/tool-runner.js';
import { isJsonObject } from '../../protocol/meta-keys.js';
import { requireTasks } from '../job-plan.js';
import { jobsOf, ownerOf, taskOf } from '../job-wait.js';
import type { Method } from '../method.js';
import { invalidParams } from '../request-context.js';

/** Answers to what a task asks (extension of 2026-07-28, tasks/update). Unknown and answered keys are ignored. */
export const tasksUpdate: Method = {
  name: 'tasks/update',
  needs: 'tasks',
  async answer(params, run) {
    const { revision, server } = run.extra;
    requireTasks(run.extra, 'tasks/update');
    const { inputResponses } = params;
    if (!isJsonObject(inputResponses)) throw invalidParams('inputResponses must be an object');
    const task = await taskOf(run, params);
    const answers = Object.entries(inputResponses).map(([key, result]): [string, InputAnswer] => [key, { result }]);
    if (answers.length > 0) await jobsOf(run).answer(ownerOf(run), task.id, Object.fromEntries(answers));
    return revision.envelope(server.implementation);
  },
};
