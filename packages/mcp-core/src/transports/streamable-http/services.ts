import type { EndpointLimits } from '../../dispatch/limits.js';
import type { DispatcherListeners } from '../../jsonrpc/link.js';
import type { ServerSettings } from '../../ports/catalogue.js';
import type { ChangeBus, ServerChange } from '../../ports/change-bus.js';
import type { Clock } from '../../ports/clock.js';
import type { EventLog } from '../../ports/event-log.js';
import type { IdGenerator } from '../../ports/id-generator.js';
import type { LiveNodes } from '../../ports/live-nodes.js';
import type { Logger } from '../../ports/logger.js';
import type { Meter } from '../../ports/meter.js';
import type { NodeBus } from '../../ports/node-bus.js';
import type { SessionStore } from '../../ports/session-store.js';
import type { SessionTracer } from '../../ports/session-tracer.js';
import type { SessionTurns } from '../../ports/session-turns.js';
import type { StateSealer } from '../../ports/state-sealer.js';
import type { Sessions } from '../../sessions/sessions.js';
import type { ListenStreams } from '../../subscriptions/listen-streams.js';

/** The ports an endpoint stands on. */
export interface EndpointPorts {
  readonly sessionStore: SessionStore;
  readonly sessionTurns: SessionTurns;
  readonly eventLog: EventLog;
  readonly nodeBus: NodeBus;
  readonly changeBus: ChangeBus;
  /** The same for every node: a request that asks on one is answered on another. */
  readonly stateSealer: StateSealer;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly logger: Logger;
  readonly meter: Meter;
  /** Unique for each start of a process. */
  readonly nodeId: string;
  /** Without it no node is ever gone. */
  readonly liveNodes?: LiveNodes | undefined;
  readonly limits: EndpointLimits;
  /** Told what passes in sessions; without one nobody is. */
  readonly tracer?: SessionTracer | undefined;
}

/** What the exchanges of one endpoint share. */
export interface EndpointServices extends EndpointPorts {
  readonly sessions: Sessions;
  readonly listens: ListenStreams;
  /** Tells every client of a server that listens for it. */
  readonly announce: (server: string, change: ServerChange, settings: ServerSettings) => void;
  /** Whether the endpoint takes no more requests. Asked again after each wait that comes before a request's own work. */
  readonly closing: () => boolean;
  /** Whether streams that another node can hold as well are to be opened there. Asked after the same waits. */
  readonly sendingAway: () => boolean;
  /** Told by every dispatcher. */
  readonly listeners: DispatcherListeners;
}
