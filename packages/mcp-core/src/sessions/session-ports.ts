import type { Clock } from '../ports/clock.js';
import type { EventLog } from '../ports/event-log.js';
import type { IdGenerator } from '../ports/id-generator.js';
import type { LiveNodes } from '../ports/live-nodes.js';
import type { Logger } from '../ports/logger.js';
import type { NodeBus } from '../ports/node-bus.js';
import type { SessionStore } from '../ports/session-store.js';
import type { SessionTracer } from '../ports/session-tracer.js';
import type { SessionTurns } from '../ports/session-turns.js';

/** What sessions stand on. */
export interface SessionPorts {
  readonly sessionStore: SessionStore;
  readonly sessionTurns: SessionTurns;
  readonly eventLog: EventLog;
  readonly nodeBus: NodeBus;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly logger: Logger;
  readonly nodeId: string;
  readonly liveNodes?: LiveNodes | undefined;
  readonly tracer?: SessionTracer | undefined;
}
