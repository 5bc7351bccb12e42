/** Something to run in a guest, or to make ready for it. */
export type Entry = () => void | Promise<void>;

interface Hooks {
  /** Told how many entries wait. */
  readonly onDue: (due: number) => void;
  /** Runs when nothing is due any more, again and again while it says that it has more to do. */
  readonly idle: () => boolean | Promise<boolean>;
  /** Runs a function after messages and timers were taken. */
  readonly next?: (then: () => void) => void;
  readonly now?: () => number;
}

/**
 * What is due on a thread, one entry at a time. The next is of the tenant that has had the least of the thread, counted
 * from when it last had something due; the entries of each tenant keep their order. So whoever computes much delays
 * another tenant by the one entry that runs already. What ends a guest goes before what else is due for its tenant.
 * Between two entries the thread takes its messages and timers.
 */
export class Turns {
  private readonly lines = new Map<string, Entry[]>();
  /** Start-time fair queueing: the time of the thread that each tenant has had, no less than that of the last pick. */
  private readonly had = new Map<string, number>();
  private virtualTime = 0;
  private count = 0;
  private going = false;
  private readonly next: (then: () => void) => void;
  private readonly now: () => number;

  constructor(private readonly hooks: Hooks) {
    this.next = hooks.next ?? setImmediate;
    this.now = hooks.now ?? (() => performance.now());
  }

  push(tenantId: string, entry: Entry, urgent = false): void {
    const line = this.lines.get(tenantId) ?? [];
    if (urgent) line.unshift(entry);
    else line.push(entry);
    this.lines.set(tenantId, line);
    this.hooks.onDue(++this.count);
    this.wake();
  }

  /** Runs what is due, then what is done in idle time. */
  wake(): void {
    if (this.going) return;
    this.going = true;
    this.next(() => void this.step());
  }

  private async step(): Promise<void> {
    const more = this.count > 0 ? await this.runNext() : await this.hooks.idle();
    this.going = false;
    if (more || this.count > 0) this.wake();
  }

  private async runNext(): Promise<true> {
    const tenantId = this.leastServed();
    const entry = this.take(tenantId);
    const began = this.now();
    await entry?.();
    this.had.set(tenantId, this.virtualTime + this.now() - began);
    return true;
  }

  /** Of two that had the same, the one whose turn came longer ago. */
  private leastServed(): string {
    const [first = '', ...others] = this.lines.keys();
    let least = first;
    for (const tenantId of others) if (this.timeOf(tenantId) < this.timeOf(least)) least = tenantId;
    this.virtualTime = this.timeOf(least);
    for (const [tenantId, had] of this.had) if (had <= this.virtualTime) this.had.delete(tenantId);
    return least;
  }

  private timeOf(tenantId: string): number {
    return this.had.get(tenantId) ?? this.virtualTime;
  }

  private take(tenantId: string): Entry | undefined {
    const line = this.lines.get(tenantId) ?? [];
    const entry = line.shift();
    // Map order is the order of turns: a tenant that had one goes to the end.
    this.lines.delete(tenantId);
    if (line.length > 0) this.lines.set(tenantId, line);
    this.hooks.onDue(--this.count);
    return entry;
  }
}
