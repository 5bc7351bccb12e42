import type { Clock, Timer } from '@gantry/mcp-core';
import type { LocalStream } from './local-stream.js';
import type { LogRedis } from './log-redis.js';

const TICK_MS = 1_000;
/** Each stream is looked at once in so many ticks. */
const SLOTS = 10;
/** Commands under way at once: what is looked at must not hold up what is said. */
const AT_ONCE = 8;

/**
 * Looks at every shown stream every ten seconds, spread evenly, and at all of them when messages may have been lost: a
 * bell may get lost, also the last one, and a session may end of itself. While none is shown nothing runs.
 */
export class TailChecks {
  readonly #slots = Array.from({ length: SLOTS }, () => new Set<LocalStream>());
  readonly #places = new Map<LocalStream, number>();
  readonly #doubtful = new Set<LocalStream>();
  /** Looked at as soon as those that are being looked at have been. */
  readonly #due = new Set<LocalStream>();
  #tick = 0;
  #timer: Timer | undefined;
  #looking: Promise<void> | undefined;
  #lookingAtDue = false;
  #allAgain = false;

  constructor(
    private readonly clock: Clock,
    private readonly redis: Pick<LogRedis, 'tails' | 'tailsAtOnce'>,
  ) {}

  /** How many streams are shown. */
  get size(): number {
    return this.#places.size;
  }

  get streams(): Iterable<LocalStream> {
    return this.#places.keys();
  }

  add(stream: LocalStream): void {
    // Those that come together are spread over a round.
    const slot = (this.#tick + this.#places.size) % SLOTS;
    this.#places.set(stream, slot);
    this.#slots[slot]?.add(stream);
    this.#timer ??= this.clock.setTimer(TICK_MS, () => this.#ticked());
  }

  remove(stream: LocalStream): void {
    const slot = this.#places.get(stream);
    if (slot === undefined) return;
    this.#places.delete(stream);
    this.#slots[slot]?.delete(stream);
    this.#doubtful.delete(stream);
    this.#due.delete(stream);
    if (this.#places.size === 0) this.#stop();
  }

  /** Looks at this one with the next tick. */
  doubt(stream: LocalStream): void {
    if (this.#places.has(stream)) this.#doubtful.add(stream);
  }

  /** Looks at all of them now. */
  async all(): Promise<void> {
    if (this.#looking !== undefined) {
      this.#allAgain = true;
      return this.#looking;
    }
    this.#looking = this.#lookAtAll();
    await this.#looking;
  }

  close(): void {
    this.#stop();
  }

  async #lookAtAll(): Promise<void> {
    do {
      this.#allAgain = false;
      await this.#look([...this.#places.keys()]);
    } while (this.#allAgain);
    this.#looking = undefined;
  }

  #stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #ticked(): void {
    this.#timer = this.clock.setTimer(TICK_MS, () => this.#ticked());
    this.#tick = (this.#tick + 1) % SLOTS;
    for (const stream of this.#slots[this.#tick] ?? []) this.#due.add(stream);
    for (const stream of this.#doubtful) this.#due.add(stream);
    this.#doubtful.clear();
    if (!this.#lookingAtDue) void this.#lookAtDue();
  }

  /** A Redis that needs longer than a tick is not asked more at once for it. */
  async #lookAtDue(): Promise<void> {
    this.#lookingAtDue = true;
    while (this.#due.size > 0) {
      const streams = [...this.#due];
      this.#due.clear();
      await this.#look(streams);
    }
    this.#lookingAtDue = false;
  }

  async #look(streams: readonly LocalStream[]): Promise<void> {
    let next = 0;
    const work = async () => {
      while (next < streams.length) {
        const some = streams.slice(next, next + this.redis.tailsAtOnce);
        next += some.length;
        await this.#lookAt(some);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  async #lookAt(streams: readonly LocalStream[]): Promise<void> {
    const shownTo = streams.map(({ position }) => position);
    try {
      const tails = await this.redis.tails(streams.map(({ id }) => id));
      for (const [at, stream] of streams.entries()) stream.checked(tails[at], shownTo[at] as number);
    } catch {
      // Redis is away, which others tell of; the streams are looked at when it is back.
      for (const stream of streams) this.doubt(stream);
    }
  }
}
