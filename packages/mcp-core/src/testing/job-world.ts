import { createMcpEndpoint } from '../create-endpoint.js';
import type { HostContext } from '../dispatch/host.js';
import { DEFAULT_LIMITS } from '../dispatch/limits.js';
import type { JobServices } from '../jobs/job-services.js';
import { InMemoryChangeBus } from '../memory/change-bus.js';
import { InMemoryEventLog } from '../memory/event-log.js';
import { InMemoryNodeBus } from '../memory/node-bus.js';
import { InMemorySessionStore } from '../memory/session-store.js';
import { InMemoryStateSealer } from '../memory/state-sealer.js';
import type { CatalogueTool } from '../ports/catalogue.js';
import type { ChangeBus } from '../ports/change-bus.js';
import type { Clock } from '../ports/clock.js';
import type { EventLog } from '../ports/event-log.js';
import { randomIds } from '../ports/id-generator.js';
import { silentLogger } from '../ports/logger.js';
import { FakeClock } from './fake-clock.js';
import { fixtureRunner, fixtureSnapshot } from './fixture-server.js';
import { InMemoryJobs } from './in-memory-jobs.js';
import { ScriptedClient } from './scripted-client.js';

/** What jobs of tests run on. */
export function jobServices(clock: Clock, eventLog: EventLog, changeBus: ChangeBus): JobServices {
  return {
    runner: fixtureRunner,
    eventLog,
    announce: (server, change) => changeBus.publish(server, change),
    stateSealer: new InMemoryStateSealer(),
    clock,
    ids: randomIds,
    logger: silentLogger,
    limits: DEFAULT_LIMITS,
  };
}

/** Two nodes, one set of stores and jobs, and a client at each. */
export function jobWorld(tools: readonly CatalogueTool[], host: Partial<HostContext> = {}) {
  const clock = new FakeClock();
  const eventLog = new InMemoryEventLog(clock);
  const changeBus = new InMemoryChangeBus();
  const stateSealer = new InMemoryStateSealer();
  let ids = 0;
  const nextId = { next: () => `job-${++ids}-of-the-fixture` };
  const jobs = new InMemoryJobs({ ...jobServices(clock, eventLog, changeBus), stateSealer, ids: nextId }, changeBus);
  const shared = {
    clock,
    eventLog,
    changeBus,
    stateSealer,
    nodeBus: new InMemoryNodeBus(),
    sessionStore: new InMemorySessionStore(clock),
  };
  const snapshot = fixtureSnapshot(tools);
  const at = (nodeId: string, more: Partial<HostContext> = {}) =>
    new ScriptedClient(createMcpEndpoint({ ...shared, nodeId }), { snapshot, host: { jobs, ...host, ...more } });
  return { clock, jobs, eventLog, a: at('a'), b: at('b'), at };
}

/** `_meta` of a client that takes tasks for answers (2026-07-28). */
export const TAKES_TASKS = {
  'io.modelcontextprotocol/clientCapabilities': {
    elicitation: {},
    extensions: { 'io.modelcontextprotocol/tasks': {} },
  },
};
