import type { EndpointLimits } from '../dispatch/limits.js';
import type { ServerSettings } from '../ports/catalogue.js';
import type { ServerChange } from '../ports/change-bus.js';
import type { Clock } from '../ports/clock.js';
import type { EventLog } from '../ports/event-log.js';
import type { IdGenerator } from '../ports/id-generator.js';
import type { Logger } from '../ports/logger.js';
import type { StateSealer } from '../ports/state-sealer.js';
import type { ToolRunner } from '../ports/tool-runner.js';

/** What runs of jobs stand on; the same ports as those of the endpoint, in whichever process they run. */
export interface JobServices {
  readonly runner: ToolRunner;
  readonly eventLog: EventLog;
  /** Tells every client of a server that listens for it. */
  readonly announce: (server: string, change: ServerChange, settings: ServerSettings) => void;
  readonly stateSealer: StateSealer;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly logger: Logger;
  readonly limits: EndpointLimits;
}
