import { DEFAULT_LIMITS, type EndpointLimits } from './dispatch/limits.js';
import { InMemoryChangeBus } from './memory/change-bus.js';
import { InMemoryEventLog } from './memory/event-log.js';
import { InMemoryNodeBus } from './memory/node-bus.js';
import { InMemorySessionStore } from './memory/session-store.js';
import { InMemorySessionTurns } from './memory/session-turns.js';
import { InMemoryStateSealer } from './memory/state-sealer.js';
import { type Clock, systemClock } from './ports/clock.js';
import { randomIds } from './ports/id-generator.js';
import { silentLogger } from './ports/logger.js';
import { noopMeter } from './ports/meter.js';
import { McpEndpoint } from './transports/streamable-http/endpoint.js';
import type { EndpointPorts } from './transports/streamable-http/services.js';

type StoreNames = 'sessionStore' | 'sessionTurns';

/** The ports and limits of an endpoint, as far as they are not the usual ones. */
export type EndpointOptions = Partial<Omit<EndpointPorts, 'limits'>> & { readonly limits?: Partial<EndpointLimits> };

/** An endpoint on the given ports; whatever is left out lives in memory and ends with the process. */
export function createMcpEndpoint({ limits, ...ports }: EndpointOptions = {}): McpEndpoint {
  const { clock = systemClock, ids = randomIds } = ports;
  const { sessionStore, sessionTurns } = stores(ports, clock);
  return new McpEndpoint({
    clock,
    ids,
    logger: ports.logger ?? silentLogger,
    meter: ports.meter ?? noopMeter,
    nodeId: ports.nodeId ?? ids.next(),
    sessionStore,
    sessionTurns,
    eventLog: ports.eventLog ?? new InMemoryEventLog(clock),
    nodeBus: ports.nodeBus ?? new InMemoryNodeBus(),
    changeBus: ports.changeBus ?? new InMemoryChangeBus(),
    stateSealer: ports.stateSealer ?? new InMemoryStateSealer(),
    limits: { ...DEFAULT_LIMITS, ...limits },
    liveNodes: ports.liveNodes,
    tracer: ports.tracer,
  });
}

function stores({ sessionStore, sessionTurns }: EndpointOptions, clock: Clock): Pick<EndpointPorts, StoreNames> {
  const store = sessionStore ?? new InMemorySessionStore(clock);
  if (sessionTurns !== undefined) return { sessionStore: store, sessionTurns };
  if (store instanceof InMemorySessionStore) {
    return { sessionStore: store, sessionTurns: new InMemorySessionTurns(store, clock) };
  }
  throw new TypeError('sessionTurns is needed beside a sessionStore that is not in memory');
}
