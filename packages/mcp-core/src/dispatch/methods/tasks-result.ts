import { PreEncoded } from '../../jsonrpc/encode.js';
import { MCPError } from '../../jsonrpc/errors.js';
import { isJobOver, type Job } from '../../ports/jobs.js';
import type { ToolOutcome } from '../../ports/tool-runner.js';
import { RELATED_TASK_KEY } from '../../protocol/meta-keys.js';
import type { Tool } from '../../protocol/types.js';
import { taskOf, unknownTask, watchJob } from '../job-wait.js';
import type { Method, Run } from '../method.js';
import { invalidParams } from '../request-context.js';
import { TaskQuestions } from '../task-questions.js';
import { encodeToolResult } from '../tool-result.js';

/**
 * The result of a task's call, as the call itself would have been answered (2025-11-25, tasks/result). Waits for the
 * end; what the task asks meanwhile is asked on this request's stream. Its own cancel leaves the task alone.
 */
export const tasksResult: Method = {
  name: 'tasks/result',
  needs: 'tasks',
  async answer(params, run) {
    const task = await taskOf(run, params);
    const questions = new TaskQuestions(run, task.id);
    const job = await watchJob(run, task.id, (now) => {
      if (isJobOver(now.status)) return true;
      questions.show(now.questions ?? {});
      return false;
    });
    if (job === undefined) throw unknownTask();
    if (job.status === 'cancelled') questions.takeBack('The task was cancelled');
    return resultOf(run, job);
  },
};

function resultOf(run: Run, { id, tool, end }: Job): unknown {
  if (end === undefined || 'handedBack' in end) throw invalidParams('the task was cancelled, and has no result');
  if ('error' in end) throw new MCPError(end.error.code, end.error.message, end.error.data);
  return encoded(run, id, tool, end.outcome);
}

function encoded({ extra }: Run, taskId: string, name: string, outcome: ToolOutcome): PreEncoded {
  const { server, revision, limits } = extra;
  // The tool may have been unpublished meanwhile; what it returned is the caller's all the same.
  const tool: Tool = server.tool(name)?.catalogued.definition ?? { name, inputSchema: { type: 'object' } };
  const { json } = encodeToolResult(
    tool,
    { ...outcome, _meta: { ...outcome._meta, [RELATED_TASK_KEY]: { taskId } } },
    { revision, server: server.implementation, resultLength: limits.resultLength },
  );
  return new PreEncoded(json);
}
