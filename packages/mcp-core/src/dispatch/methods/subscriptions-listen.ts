import { asciiUri } from '../../protocol/ascii-uri.js';
import { isJsonObject } from '../../protocol/meta-keys.js';
import { offers } from '../capabilities.js';
import { requireTasks } from '../job-plan.js';
import { ownerOf } from '../job-wait.js';
import { MAX_SUBSCRIPTIONS, MAX_TASKS } from '../limits.js';
import type { Method, Run } from '../method.js';
import { invalidParams, type ListenFilter, type RequestContext } from '../request-context.js';
import { MAX_URI_LENGTH } from '../resource-index.js';

/** The lists a stream can be told of, by the flag that asks for it. */
const LISTS = { toolsListChanged: 'tools', promptsListChanged: 'prompts', resourcesListChanged: 'resources' } as const;
type Flag = keyof typeof LISTS;
const FLAGS = Object.keys(LISTS) as Flag[];

export const subscriptionsListen: Method = {
  name: 'subscriptions/listen',
  answer({ notifications }, run) {
    if (!isJsonObject(notifications)) throw invalidParams('notifications must be an object');
    for (const flag of FLAGS) {
      const value = notifications[flag];
      if (value !== undefined && typeof value !== 'boolean') {
        throw invalidParams(`notifications.${flag} must be a boolean`);
      }
    }
    const uris = readUris(notifications.resourceSubscriptions);
    const filter = honoured(notifications, uris, run.extra);
    const taskIds = readTaskIds(notifications.taskIds);
    if (taskIds === undefined) return run.extra.listen(filter, run);
    requireTasks(run.extra, 'notifications.taskIds');
    return ownTasks(run, taskIds).then((own) => run.extra.listen({ ...filter, taskIds: own }, run));
  },
};

function readUris(uris: unknown): readonly string[] | undefined {
  const where = 'notifications.resourceSubscriptions';
  if (uris === undefined) return undefined;
  if (!Array.isArray(uris)) throw invalidParams(`${where} must be an array of URIs`);
  if (uris.length > MAX_SUBSCRIPTIONS) throw invalidParams(`${where} names more than ${MAX_SUBSCRIPTIONS} resources`);
  for (const [at, uri] of uris.entries()) {
    if (typeof uri !== 'string') throw invalidParams(`${where}[${at}] must be a string`);
    if (uri.length > MAX_URI_LENGTH) {
      throw invalidParams(`${where}[${at}] is longer than ${MAX_URI_LENGTH} characters`);
    }
  }
  return (uris as string[]).map(asciiUri);
}

function readTaskIds(ids: unknown): readonly string[] | undefined {
  const where = 'notifications.taskIds';
  if (ids === undefined) return undefined;
  if (!Array.isArray(ids)) throw invalidParams(`${where} must be an array of task ids`);
  if (ids.length > MAX_TASKS) throw invalidParams(`${where} names more than ${MAX_TASKS} tasks`);
  for (const [at, id] of ids.entries()) {
    if (typeof id !== 'string' || id.length > 256) throw invalidParams(`${where}[${at}] must be a task id`);
  }
  return [...new Set(ids as string[])];
}

/** Tasks of somebody else are left out as those that never were. */
async function ownTasks(run: Run, ids: readonly string[]): Promise<readonly string[]> {
  const { jobs } = run.extra.host;
  if (jobs === undefined) return [];
  const found = await Promise.all(ids.map((id) => jobs.get(ownerOf(run), id)));
  run.signal.throwIfAborted();
  return found.flatMap((job) => (job?.face === 'task' ? [job.id] : []));
}

/**
 * What of it the caller will be told. Kinds this server does not have, and resources that are not there or not for this
 * caller, are left out of the acknowledgement, which is how the client learns of it.
 */
function honoured(
  asked: Readonly<Record<string, unknown>>,
  uris: readonly string[] | undefined,
  { server, host }: RequestContext,
): ListenFilter {
  const filter: { -readonly [Member in keyof ListenFilter]: ListenFilter[Member] } = {};
  for (const flag of FLAGS) {
    const list = LISTS[flag];
    if (asked[flag] === true && (list === 'tools' || offers(host, list))) filter[flag] = true;
  }
  if (uris !== undefined && offers(host, 'resources')) {
    filter.resourceSubscriptions = [...new Set(uris)].filter(
      (uri) => server.resource(uri) !== undefined && host.hooks?.authorize?.('resources/read', { uri }) === undefined,
    );
  }
  return filter;
}
