import type { StreamFollower } from '@gantry/mcp-core';
import type { ReadReply } from './log-redis.js';
import { READ_ENDED } from './log-scripts.js';

/** Brings a follower each event once and in order, from whichever side it is heard of first. */
export class Delivery {
  /** The node whose call the stream answers. */
  callNode: string | undefined;
  #next: number;
  #newest = 0;
  #endAt: number | undefined;
  #over = false;

  /** @param epoch how often it was settled which node shows the stream, when this follower got it */
  constructor(
    private readonly follower: StreamFollower,
    position: number,
    readonly epoch: number,
  ) {
    this.#next = position + 1;
    this.#newest = position;
  }

  /** Nothing more is told. */
  get over(): boolean {
    return this.#over;
  }

  /** The newest position that was told. */
  get position(): number {
    return this.#next - 1;
  }

  /** Something was said on the stream that has not come here. */
  get behind(): boolean {
    return !this.#over && (this.#newest >= this.#next || this.#endAt !== undefined);
  }

  /** What is kept of the stream after a position that was told. */
  replay(read: ReadReply): void {
    // The log is the truth, also of how far the stream is, whatever a bell has said before.
    this.#newest = Math.max(read.first + read.events.length - 1, this.#next - 1);
    this.#endAt = undefined;
    if (read.first > this.#next) {
      this.#tell(() => this.follower.gap(read.first));
      this.#next = read.first;
    }
    this.events(read.first, read.events);
    if (read.status === READ_ENDED) this.ended(read.first + read.events.length - 1);
  }

  /** Events that follow each other; those told before are not told again, and none before its turn. */
  events(first: number, data: readonly string[]): void {
    this.heard(first + data.length - 1);
    for (let at = Math.max(0, this.#next - first); at < data.length && first + at === this.#next; at++) {
      const event = { sequence: this.#next++, data: data[at] as string };
      this.#tell(() => this.follower.event(event));
    }
    this.#settle();
  }

  /** There are events up to this one. */
  heard(newest: number): void {
    if (newest > this.#newest) this.#newest = newest;
  }

  /** The stream has ended, with this as its newest event. */
  ended(newest: number): void {
    this.heard(newest);
    this.#endAt = newest;
    this.#settle();
  }

  /** The stream is gone. */
  gone(): void {
    if (this.#over) return;
    this.#tell(() => this.follower.end());
    this.#over = true;
  }

  taken(): void {
    if (this.#over) return;
    this.#tell(() => this.follower.taken());
    this.#over = true;
  }

  /** The follower wants no more. */
  stop(): void {
    this.#over = true;
  }

  #settle(): void {
    if (this.#endAt !== undefined && this.#next > this.#endAt) this.gone();
  }

  #tell(call: () => void): void {
    if (this.#over) return;
    try {
      call();
    } catch {
      // A follower that cannot be told anything is none.
      this.#over = true;
    }
  }
}
