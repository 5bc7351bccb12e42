import { sessionKeys, standsAlone, streamKeys } from '../session-keys.js';
import { SEPARATOR } from './log-scripts.js';

/** A stream of a session, as Redis and the other nodes know it. */
export interface StreamId {
  /** The hash tag of its session. */
  readonly tag: string;
  readonly stream: string;
  /** Its name in bells and in the maps of a node. */
  readonly name: string;
}

export function streamId(tag: string, stream: string): StreamId {
  return { tag, stream, name: `${namePrefix(tag)}${stream}` };
}

/** What the names of all streams of a session begin with. */
export function namePrefix(tag: string): string {
  return `${tag}${SEPARATOR}`;
}

/** The keys that scripts about one stream take, in their order. */
export function scriptKeys({
  tag,
  stream,
}: StreamId): [session: string, meta: string, events: string, streams: string] {
  const { session, streams } = sessionKeys(tag);
  const { meta, events } = streamKeys(tag, stream);
  // A stream that stands alone is its own proof that it may be: scripts ask for the first key, and find the second.
  return [standsAlone(tag) ? meta : session, meta, events, streams];
}
