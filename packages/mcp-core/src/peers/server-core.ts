import type { HostContext } from '../dispatch/host.js';
import type { EndpointLimits } from '../dispatch/limits.js';
import type { PreparedServer } from '../dispatch/prepared-server.js';
import type { ServerChange } from '../ports/change-bus.js';
import type { Clock } from '../ports/clock.js';
import type { IdGenerator } from '../ports/id-generator.js';
import type { Logger } from '../ports/logger.js';
import type { Meter } from '../ports/meter.js';
import type { StateSealer } from '../ports/state-sealer.js';
import type { ListenStreams } from '../subscriptions/listen-streams.js';
import type { ServerConnection } from './server-connection.js';

/** What the connections of one server share. */
export interface ServerCore {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly meter: Meter;
  readonly ids: IdGenerator;
  readonly limits: EndpointLimits;
  readonly sealer: StateSealer;
  readonly listens: ListenStreams;
  /** What is offered now. */
  readonly server: PreparedServer;
  /** The host as a request on that connection sees it. */
  hostFor(connection: string): HostContext;
  /** Tells every connection that wants to hear of it. */
  announce(change: ServerChange): void;
  ended(connection: ServerConnection): void;
}
