import type { RequestId } from '../jsonrpc/messages.js';
import type { ServerSettings } from './catalogue.js';
import type { MaybePromise, SessionKey } from './session-store.js';

/** One event of a stream, as it is kept. */
export interface LoggedEvent {
  /** Counted from 1 in each stream, without holes. */
  readonly sequence: number;
  /** One JSON-RPC message as JSON text. */
  readonly data: string;
}

/** What is kept of one stream: whichever bound is reached first evicts the oldest events. The newest is always kept. */
export interface LogBounds {
  readonly maxEvents: number;
  readonly maxBytes: number;
}

/** What a stream is for. */
export interface StreamSpec extends LogBounds {
  /**
   * The requests it answers and the node that runs them. When that node is gone before the stream has ended, each of
   * them that has no answer yet is answered "outcome unknown", once over all nodes, and the stream ends.
   */
  readonly call?: { readonly node: string; readonly requests: readonly RequestId[] };
}

/** What is kept of a stream after a position. */
export interface Replay {
  readonly events: readonly LoggedEvent[];
  /** Some events after the asked position are no longer kept. */
  readonly gap: boolean;
  /** No event will follow these. */
  readonly ended: boolean;
}

/** Told in order what happens on a stream, each event once. */
export interface StreamFollower {
  event(event: LoggedEvent): void;
  /** Events before `next` are lost to this follower; said before the event with that sequence. */
  gap(next: number): void;
  /** The stream has ended, or its session has: nothing follows. */
  end(): void;
  /** Another follower, here or on another node, has the stream now: nothing follows here. */
  taken(): void;
}

/**
 * The events of every stream of every session, in order, for live followers and for replay. The log is the truth: what
 * a client may still ask for is here and nowhere else. Calls for one stream take effect in the order they are made.
 */
export interface EventLog {
  /**
   * Makes a stream known. Opening one that is open or has ended changes nothing. Whoever goes on with the stream need not
   * wait for it.
   */
  open(session: SessionKey, stream: string, spec: StreamSpec): MaybePromise<void>;
  /**
   * Adds an event; undefined when the stream is unknown or has ended.
   * @param last the stream ends with it, in the same step
   */
  append(session: SessionKey, stream: string, data: string, last?: boolean): MaybePromise<number | undefined>;
  /** Ends a stream. It stays readable for at least five minutes, unless its session is dropped first. */
  end(session: SessionKey, stream: string): MaybePromise<void>;
  /** Sequence of the newest event, 0 before the first; undefined when the session has no such stream. */
  last(session: SessionKey, stream: string): MaybePromise<number | undefined>;
  /** Events after a position; undefined when the session has no such stream or the stream was never there yet. */
  readAfter(session: SessionKey, stream: string, sequence: number): MaybePromise<Replay | undefined>;
  /**
   * Replays what came after a position and goes on live, as the one follower of the stream: the one before is told
   * that it was taken. Returns the function that ends it, which may be called twice; undefined when the session has no
   * such stream.
   */
  follow(
    session: SessionKey,
    stream: string,
    sequence: number,
    follower: StreamFollower,
  ): MaybePromise<(() => void) | undefined>;
  /** Forgets all streams of a session; their followers are told the end. */
  drop(session: SessionKey): MaybePromise<void>;
}

/** Replay of one stream is bounded by `replayMax` events and by this many bytes. */
const MAX_REPLAY_BYTES = 1024 * 1024;

/** Makes a stream known to a log, with the bounds its server has set. */
export function openIn(
  log: EventLog,
  session: SessionKey,
  stream: string,
  { replayMax }: Pick<ServerSettings, 'replayMax'>,
  call?: StreamSpec['call'],
): MaybePromise<void> {
  return log.open(session, stream, { maxEvents: replayMax, maxBytes: MAX_REPLAY_BYTES, ...(call && { call }) });
}
