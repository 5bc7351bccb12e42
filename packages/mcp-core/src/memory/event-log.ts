import type { Clock } from '../ports/clock.js';
import type { EventLog, LogBounds, LoggedEvent, Replay, StreamFollower, StreamSpec } from '../ports/event-log.js';
import { type SessionKey, sessionKeyText } from '../ports/session-store.js';

/** How long an ended stream stays readable. */
const ENDED_KEPT_MS = 300_000;
/** Ended streams of the whole process over this size go before their time, oldest first. */
const ENDED_KEPT_BYTES = 256 * 1024 * 1024;
/** What a stream takes beside its events. Most are short, and a busy process ends a million of them in five minutes. */
const STREAM_BYTES = 1024;

interface StreamLog {
  readonly bounds: LogBounds;
  readonly events: LoggedEvent[];
  bytes: number;
  last: number;
  endedAt: number | undefined;
  follower: StreamFollower | undefined;
}

/** The log of one process. Everything takes effect within the call; a follower that throws hurts no other. */
export class InMemoryEventLog implements EventLog {
  readonly #sessions = new Map<string, Map<string, StreamLog>>();
  /** Ended streams in the order they ended, each with what forgets it. */
  readonly #ended = new Map<StreamLog, () => void>();
  #endedBytes = 0;

  /** @param endedKeptBytes what ended streams of all sessions may take together */
  constructor(
    private readonly clock: Clock,
    private readonly endedKeptBytes = ENDED_KEPT_BYTES,
  ) {}

  open(session: SessionKey, stream: string, { maxEvents, maxBytes }: StreamSpec): void {
    const key = sessionKeyText(session);
    let streams = this.#sessions.get(key);
    if (streams === undefined) {
      streams = new Map();
      this.#sessions.set(key, streams);
    }
    if (streams.has(stream)) return;
    this.#forgetEnded();
    const bounds: LogBounds = { maxEvents, maxBytes };
    streams.set(stream, { bounds, events: [], bytes: 0, last: 0, endedAt: undefined, follower: undefined });
  }

  append(session: SessionKey, stream: string, data: string, last = false): number | undefined {
    const log = this.#find(session, stream);
    if (log === undefined || log.endedAt !== undefined) return undefined;
    const event = { sequence: ++log.last, data };
    log.events.push(event);
    log.bytes += data.length;
    while (log.events.length > 1 && (log.events.length > log.bounds.maxEvents || log.bytes > log.bounds.maxBytes)) {
      log.bytes -= log.events.shift()?.data.length ?? 0;
    }
    tell(log, (follower) => follower.event(event));
    if (last) this.end(session, stream);
    return event.sequence;
  }

  end(session: SessionKey, stream: string): void {
    const log = this.#find(session, stream);
    if (log === undefined || log.endedAt !== undefined) return;
    log.endedAt = this.clock.now();
    tell(log, (follower) => follower.end());
    log.follower = undefined;
    const streams = this.#sessions.get(sessionKeyText(session));
    this.#ended.set(log, () => {
      streams?.delete(stream);
      if (session.alone) this.#sessions.delete(sessionKeyText(session));
    });
    this.#endedBytes += log.bytes + STREAM_BYTES;
    this.#forgetEnded();
  }

  last(session: SessionKey, stream: string): number | undefined {
    return this.#find(session, stream)?.last;
  }

  readAfter(session: SessionKey, stream: string, sequence: number): Replay | undefined {
    const log = this.#find(session, stream);
    if (log === undefined || sequence > log.last) return undefined;
    const events = log.events.filter((event) => event.sequence > sequence);
    const first = events[0]?.sequence ?? log.last + 1;
    return { events, gap: first > sequence + 1, ended: log.endedAt !== undefined };
  }

  follow(session: SessionKey, stream: string, sequence: number, follower: StreamFollower): (() => void) | undefined {
    const log = this.#find(session, stream);
    const replay = this.readAfter(session, stream, sequence);
    if (log === undefined || replay === undefined) return undefined;
    if (replay.gap) follower.gap(replay.events[0]?.sequence ?? log.last + 1);
    for (const event of replay.events) follower.event(event);
    if (replay.ended) {
      follower.end();
      return () => {};
    }
    tell(log, (before) => before.taken());
    log.follower = follower;
    return () => {
      if (log.follower === follower) log.follower = undefined;
    };
  }

  drop(session: SessionKey): void {
    const key = sessionKeyText(session);
    const streams = this.#sessions.get(key);
    this.#sessions.delete(key);
    for (const log of streams?.values() ?? []) {
      tell(log, (follower) => follower.end());
      if (this.#ended.delete(log)) this.#endedBytes -= log.bytes + STREAM_BYTES;
    }
  }

  #find(session: SessionKey, stream: string): StreamLog | undefined {
    const log = this.#sessions.get(sessionKeyText(session))?.get(stream);
    const expired = log?.endedAt !== undefined && this.clock.now() - log.endedAt > ENDED_KEPT_MS;
    return expired ? undefined : log;
  }

  #forgetEnded(): void {
    const now = this.clock.now();
    for (const [log, forget] of this.#ended) {
      const old = now - (log.endedAt ?? now) > ENDED_KEPT_MS;
      if (!old && this.#endedBytes <= this.endedKeptBytes) return;
      this.#ended.delete(log);
      this.#endedBytes -= log.bytes + STREAM_BYTES;
      forget();
    }
  }
}

function tell(log: StreamLog, call: (follower: StreamFollower) => void): void {
  const { follower } = log;
  if (follower === undefined) return;
  try {
    call(follower);
  } catch {
    if (log.follower === follower) log.follower = undefined;
  }
}
