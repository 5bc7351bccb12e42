/** One call that waits for a thread, or holds one. */
export interface Waiting {
  readonly tenantId: string;
}

/**
 * Who gets the next free thread: tenants take turns, each tenant's calls keep their order, and no tenant holds more
 * than half of the threads. Both the whole line and each tenant's part of it are bounded.
 */
export class CallQueue<T extends Waiting> {
  private readonly lines = new Map<string, T[]>();
  private readonly held = new Map<string, number>();
  private waiting = 0;

  constructor(
    private readonly tenantThreads: number,
    private readonly capacity: number,
    private readonly tenantCapacity: number,
  ) {}

  get length(): number {
    return this.waiting;
  }

  /** False when the line is full; the call is not in it then. */
  push(call: T): boolean {
    const line = this.lines.get(call.tenantId) ?? [];
    if (this.waiting >= this.capacity || line.length >= this.tenantCapacity) return false;
    if (line.length === 0) this.lines.set(call.tenantId, line);
    line.push(call);
    this.waiting++;
    return true;
  }

  /** The next call whose tenant may have one more thread, now holding it. */
  shift(): T | undefined {
    for (const [tenantId, line] of this.lines) {
      const held = this.held.get(tenantId) ?? 0;
      if (held >= this.tenantThreads) continue;
      const call = line.shift();
      if (!call) continue;
      this.waiting--;
      this.held.set(tenantId, held + 1);
      // Map order is the order of turns: a tenant that was served goes to the end.
      this.lines.delete(tenantId);
      if (line.length > 0) this.lines.set(tenantId, line);
      return call;
    }
    return undefined;
  }

  /** The call's thread is free again. */
  release(call: T): void {
    const held = (this.held.get(call.tenantId) ?? 0) - 1;
    if (held > 0) this.held.set(call.tenantId, held);
    else this.held.delete(call.tenantId);
  }

  /** Takes a waiting call out of the line; false when it is not in it any more. */
  remove(call: T): boolean {
    const line = this.lines.get(call.tenantId);
    const index = line?.indexOf(call) ?? -1;
    if (!line || index < 0) return false;
    line.splice(index, 1);
    if (line.length === 0) this.lines.delete(call.tenantId);
    this.waiting--;
    return true;
  }

  /** Empties the line. */
  drain(): T[] {
    const all = [...this.lines.values()].flat();
    this.lines.clear();
    this.waiting = 0;
    return all;
  }
}
