/** So many are remembered; who is forgotten and asked after is found again. */
const GONE_MAX = 10_000;
const ASKED_MAX = 1_000;

/** What a beat has heard of all nodes. */
export interface Roll {
  readonly living: readonly string[];
  readonly gone: readonly string[];
}

/**
 * Which nodes are gone, from one beat to the next. A node that is on neither list has been gone for too long to be
 * remembered, or Redis came back without what it knew: it counts as gone when it has not come for the length of a lease.
 */
export class Departures {
  private readonly gone = new Map<string, number>();
  private readonly asked = new Map<string, number>();
  private readonly listeners = new Set<(node: string) => void>();
  private known: readonly string[] = [];
  private beat = 0;

  constructor(
    private readonly self: string,
    private readonly absentMs: number,
    private readonly onFault: (error: unknown) => void,
  ) {}

  /** Those that lived at the last beat, without those that have left since. */
  get living(): readonly string[] {
    return this.known.filter((node) => !this.gone.has(node));
  }

  isGone(node: string): boolean {
    if (this.gone.has(node)) return true;
    if (node !== this.self && !this.known.includes(node) && !this.asked.has(node) && this.asked.size < ASKED_MAX) {
      this.asked.set(node, Number.POSITIVE_INFINITY);
    }
    return false;
  }

  onGone(listener: (node: string) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** A beat is about to be sent: what is heard from now on is newer than what it will bring. Gives its number. */
  begin(): number {
    this.beat += 1;
    return this.beat;
  }

  /** @param at when the beat was answered, in milliseconds of any clock */
  hear(beat: number, { living, gone }: Roll, at: number): void {
    const here = new Set(living);
    for (const node of living) {
      this.asked.delete(node);
      // Who said goodbye while the beat was on its way is still on its list.
      if ((this.gone.get(node) ?? beat) < beat) this.gone.delete(node);
    }
    const there = new Set(gone);
    for (const node of this.known) if (!here.has(node) && !there.has(node)) this.isAbsent(node);
    this.known = living;
    for (const [node, since] of this.asked) {
      if (since > at) this.asked.set(node, at);
      else if (at - since >= this.absentMs) there.add(node);
    }
    for (const node of there) this.left(node, beat - 1);
  }

  /** A node is gone. */
  left(node: string, beat = this.beat): void {
    this.asked.delete(node);
    if (node === this.self || this.gone.has(node)) return;
    if (this.gone.size >= GONE_MAX) this.gone.delete(this.gone.keys().next().value as string);
    this.gone.set(node, beat);
    for (const listener of [...this.listeners]) {
      try {
        listener(node);
      } catch (error) {
        this.onFault(error);
      }
    }
  }

  private isAbsent(node: string): void {
    if (node !== this.self && !this.gone.has(node) && !this.asked.has(node)) {
      this.asked.set(node, Number.POSITIVE_INFINITY);
    }
  }
}
