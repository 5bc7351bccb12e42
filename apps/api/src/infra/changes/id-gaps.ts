/**
 * Which ids of a growing sequence were read, where rows may appear out of order: a transaction takes its id when it
 * writes and shows it when it commits, so a lower id may come after a higher one. Ids that were passed over are
 * remembered for a while, and are then taken for rolled back.
 */
export class IdGaps {
  private readonly gaps = new Map<bigint, number>();

  /**
   * @param last the highest id read so far
   * @param keepMs how long a missing id may still appear: longer than any transaction
   * @param max how many missing ids are remembered, the newest ones
   */
  constructor(
    private last: bigint,
    private readonly keepMs: number,
    private readonly max: number,
  ) {}

  /** Everything above this is new. */
  get highest(): bigint {
    return this.last;
  }

  /** Ids below `highest` that may still appear. */
  missing(now: number): bigint[] {
    for (const [id, since] of this.gaps) if (now - since > this.keepMs) this.gaps.delete(id);
    return [...this.gaps.keys()];
  }

  /** Notes an id as read. False when it was read before. */
  take(id: bigint, now: number): boolean {
    if (id <= this.last) return this.gaps.delete(id);
    this.advance(id - 1n, now);
    this.last = id;
    return true;
  }

  /** Goes on to `last`: every id on the way is missing until it is taken. */
  advance(last: bigint, now: number): void {
    const first = last - this.last > BigInt(this.max) ? last - BigInt(this.max) + 1n : this.last + 1n;
    for (let id = first; id <= last; id++) this.gaps.set(id, now);
    this.last = last;
    for (const id of this.gaps.keys()) {
      if (this.gaps.size <= this.max) break;
      this.gaps.delete(id);
    }
  }
}
