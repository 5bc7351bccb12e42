import type { SessionRecord } from '../ports/session-store.js';

/** A session as it is shown to people. */
export interface SessionView extends SessionRecord {
  /** Requests running on this node. */
  readonly inFlight: number;
  /** Streams attached to this node. */
  readonly streams: number;
}

/** A part of the sessions of a scope; `next` asks for the part after it. */
export interface SessionViewPage {
  readonly items: readonly SessionView[];
  readonly next: string | undefined;
}
