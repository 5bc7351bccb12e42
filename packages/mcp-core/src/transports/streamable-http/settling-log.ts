import type { Clock } from '../../ports/clock.js';
import type { EventLog, Replay, StreamFollower, StreamSpec } from '../../ports/event-log.js';
import type { MaybePromise, SessionKey } from '../../ports/session-store.js';

/** An event log that knows what is still on its way: writes that are not taken yet, and followers that hear more. */
export class SettlingLog implements EventLog {
  #writes = 0;
  #followers = 0;
  readonly #waiting = new Set<() => void>();

  constructor(private readonly log: EventLog) {}

  /** Resolves when all that was written is taken and every follower has heard the end or was ended; or after `limitMs`. */
  settled(clock: Clock, limitMs: number): Promise<void> {
    if (this.#idle) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        timer.cancel();
        this.#waiting.delete(done);
        resolve();
      };
      const timer = clock.setTimer(limitMs, done);
      this.#waiting.add(done);
    });
  }

  open(session: SessionKey, stream: string, spec: StreamSpec): MaybePromise<void> {
    return this.#written(this.log.open(session, stream, spec));
  }

  append(session: SessionKey, stream: string, data: string, last?: boolean): MaybePromise<number | undefined> {
    return this.#written(this.log.append(session, stream, data, last));
  }

  end(session: SessionKey, stream: string): MaybePromise<void> {
    return this.#written(this.log.end(session, stream));
  }

  last(session: SessionKey, stream: string): MaybePromise<number | undefined> {
    return this.log.last(session, stream);
  }

  readAfter(session: SessionKey, stream: string, sequence: number): MaybePromise<Replay | undefined> {
    return this.log.readAfter(session, stream, sequence);
  }

  follow(
    session: SessionKey,
    stream: string,
    sequence: number,
    follower: StreamFollower,
  ): MaybePromise<(() => void) | undefined> {
    this.#followers++;
    let over = false;
    const leave = () => {
      if (over) return;
      over = true;
      this.#followers--;
      this.#look();
    };
    const settle = (stop: (() => void) | undefined) => {
      if (stop === undefined) leave();
      return (
        stop &&
        (() => {
          stop();
          leave();
        })
      );
    };
    const failed = (error: unknown): never => {
      leave();
      throw error;
    };
    try {
      const following = this.log.follow(session, stream, sequence, {
        event: (event) => follower.event(event),
        gap: (next) => follower.gap(next),
        end: () => {
          follower.end();
          leave();
        },
        taken: () => {
          follower.taken();
          leave();
        },
      });
      return following instanceof Promise ? following.then(settle, failed) : settle(following);
    } catch (error) {
      return failed(error);
    }
  }

  drop(session: SessionKey): MaybePromise<void> {
    return this.#written(this.log.drop(session));
  }

  get #idle(): boolean {
    return this.#writes === 0 && this.#followers === 0;
  }

  #written<T>(result: MaybePromise<T>): MaybePromise<T> {
    if (!(result instanceof Promise)) return result;
    this.#writes++;
    // Whoever waits for a write may write again at once: only after them is it known whether this was the last.
    const done = () =>
      queueMicrotask(() => {
        this.#writes--;
        this.#look();
      });
    result.then(done, done);
    return result;
  }

  #look(): void {
    if (!this.#idle) return;
    for (const done of [...this.#waiting]) done();
  }
}
