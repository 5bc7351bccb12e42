import { decodeCursor, encodeCursor } from '../../protocol/cursor.js';
import { jobsOf, ownerOf } from '../job-wait.js';
import type { Method } from '../method.js';
import { invalidParams } from '../request-context.js';
import { taskState } from '../task-state.js';

export const tasksList: Method = {
  name: 'tasks/list',
  needs: 'tasks',
  async answer({ cursor }, run) {
    const { revision, server, host } = run.extra;
    const scope = `tasks ${host.server} ${host.owner}`;
    const position = cursor === undefined ? undefined : decodeCursor(scope, cursor);
    if (cursor !== undefined && position === undefined) throw invalidParams('cursor is not one of this list');
    const { pageSize } = server.snapshot.settings;
    const jobs = await jobsOf(run).list(ownerOf(run), pageSize + 1, position?.after);
    const page = jobs.slice(0, pageSize);
    const last = page.at(-1);
    const more = jobs.length > pageSize && last !== undefined;
    return {
      tasks: page.map((job) => revision.tasks?.shown(taskState(job))),
      ...(more && { nextCursor: encodeCursor(scope, { after: last.id, index: 0 }) }),
    };
  },
};
