import type { Clock, LiveNodes } from '@gantry/mcp-core';
import type { LogMeter } from './log-meter.js';
import type { LogRedis } from './log-redis.js';

/** What the streams of one node share. */
export interface StreamContext<Stream> {
  readonly redis: LogRedis;
  readonly clock: Clock;
  readonly live: LiveNodes;
  readonly meter: LogMeter;
  readonly deadlineMs: number;
  /** The number of the next write of this node. */
  nextWrite(): number;
  /** Takes room for what waits on all streams; false when there is none. */
  reserve(bytes: number): boolean;
  release(bytes: number): void;
  /** The stream is shown here from now on, or no longer. */
  shown(stream: Stream, shown: boolean): void;
  /** How the stream stands is to be looked at soon. */
  doubt(stream: Stream): void;
  /** Nothing is left to do for it here. */
  idle(stream: Stream): void;
}
