import type { ServerSettings } from '../ports/catalogue.js';
import type { EventLog } from '../ports/event-log.js';
import type { MaybePromise, SessionKey } from '../ports/session-store.js';

/** Replay of one stream is bounded by the server's `replayMax` events and by this many bytes. */
const MAX_REPLAY_BYTES = 1024 * 1024;

/** Makes a stream known that no one node answers. Opening one that is open changes nothing. */
export function openFor(
  log: EventLog,
  key: SessionKey,
  stream: string,
  { replayMax }: Pick<ServerSettings, 'replayMax'>,
): MaybePromise<void> {
  return log.open(key, stream, { maxEvents: replayMax, maxBytes: MAX_REPLAY_BYTES });
}
