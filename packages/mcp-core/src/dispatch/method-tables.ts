import type { Handler } from '../jsonrpc/handler-context.js';
import type { MethodName } from '../protocol/methods.js';
import type { Revision } from '../wire/revision.js';
import { REVISIONS } from '../wire/revisions.js';
import { asHandler, type Method } from './method.js';
import { completionComplete } from './methods/completion-complete.js';
import { initialize } from './methods/initialize.js';
import { loggingSetLevel } from './methods/logging-set-level.js';
import { ping } from './methods/ping.js';
import { promptsGet } from './methods/prompts-get.js';
import { promptsList } from './methods/prompts-list.js';
import { resourcesList, resourcesTemplatesList } from './methods/resources-list.js';
import { resourcesRead } from './methods/resources-read.js';
import { resourcesSubscribe, resourcesUnsubscribe } from './methods/resources-subscribe.js';
import { serverDiscover } from './methods/server-discover.js';
import { subscriptionsListen } from './methods/subscriptions-listen.js';
import { tasksCancel } from './methods/tasks-cancel.js';
import { tasksGet } from './methods/tasks-get.js';
import { tasksList } from './methods/tasks-list.js';
import { tasksResult } from './methods/tasks-result.js';
import { tasksUpdate } from './methods/tasks-update.js';
import { toolsCall } from './methods/tools-call.js';
import { toolsList } from './methods/tools-list.js';
import type { RequestContext } from './request-context.js';

export type MethodTable = ReadonlyMap<string, Handler<RequestContext>>;

/** Every method there is; the compiler asks for each name a revision may list. */
const METHODS: Readonly<Record<MethodName, Method>> = {
  initialize,
  ping,
  'logging/setLevel': loggingSetLevel,
  'tools/list': toolsList,
  'tools/call': toolsCall,
  'resources/list': resourcesList,
  'resources/templates/list': resourcesTemplatesList,
  'resources/read': resourcesRead,
  'resources/subscribe': resourcesSubscribe,
  'resources/unsubscribe': resourcesUnsubscribe,
  'prompts/list': promptsList,
  'prompts/get': promptsGet,
  'completion/complete': completionComplete,
  'server/discover': serverDiscover,
  'subscriptions/listen': subscriptionsListen,
  'tasks/get': tasksGet,
  'tasks/list': tasksList,
  'tasks/result': tasksResult,
  'tasks/update': tasksUpdate,
  'tasks/cancel': tasksCancel,
};

const handlers = new Map(Object.entries(METHODS).map(([name, method]) => [name, asHandler(method)]));

const tables = new Map<Revision, MethodTable>(
  REVISIONS.map((revision) => [
    revision,
    new Map(revision.methods.map((name) => [name, handlers.get(name) as Handler<RequestContext>])),
  ]),
);

/** The dispatcher table of a revision, shared by all its exchanges. */
export function methodTable(revision: Revision): MethodTable {
  return tables.get(revision) as MethodTable;
}
