/** One call that waits for a place, or holds one. */
export interface Waiting {
  readonly tenantId: string;
  /** What it may come to use. */
  readonly memoryBytes: number;
}

/** What calls hold, or may hold: places, and the sum of their memory limits. */
export interface Share {
  readonly places: number;
  readonly bytes: number;
}

const nothing: Share = { places: 0, bytes: 0 };

/**
 * Who gets the next free place: tenants take turns, each tenant's calls keep their order, and no tenant holds more
 * than half of the places or of the memory. Memory counts by the limits of the calls, so that what all of them may
 * come to use is there. Both the whole line and each tenant's part of it are bounded.
 */
export class CallQueue<T extends Waiting> {
  private readonly lines = new Map<string, T[]>();
  private readonly held = new Map<string, Share>();
  private heldBytes = 0;
  private waiting = 0;
  private readonly tenantMost: Share;

  constructor(
    private readonly most: Share,
    private readonly capacity: number,
    private readonly tenantCapacity: number,
  ) {
    this.tenantMost = { places: Math.max(1, Math.floor(most.places / 2)), bytes: Math.floor(most.bytes / 2) };
  }

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

  /** The next call whose tenant may hold one more, now holding its place and memory. */
  shift(): T | undefined {
    for (const [tenantId, line] of this.lines) {
      const call = line[0];
      const held = this.held.get(tenantId) ?? nothing;
      if (!call || held.places >= this.tenantMost.places) continue;
      const bytes = this.bytesOf(call);
      if (held.bytes + bytes > this.tenantMost.bytes) continue;
      // It keeps its turn: smaller calls of others would else go before it for ever.
      if (this.heldBytes + bytes > this.most.bytes) return undefined;
      line.shift();
      this.waiting--;
      this.hold(tenantId, { places: held.places + 1, bytes: held.bytes + bytes }, bytes);
      // Map order is the order of turns: a tenant that was served goes to the end.
      this.lines.delete(tenantId);
      if (line.length > 0) this.lines.set(tenantId, line);
      return call;
    }
    return undefined;
  }

  /** The call's place and memory are free again. */
  release(call: T): void {
    const held = this.held.get(call.tenantId) ?? nothing;
    const bytes = this.bytesOf(call);
    this.hold(call.tenantId, { places: held.places - 1, bytes: held.bytes - bytes }, -bytes);
  }

  private hold(tenantId: string, held: Share, change: number): void {
    this.heldBytes += change;
    if (held.places > 0) this.held.set(tenantId, held);
    else this.held.delete(tenantId);
  }

  /** A call over its tenant's share counts as all of it: it runs, and alone. */
  private bytesOf({ memoryBytes }: Waiting): number {
    return Math.min(memoryBytes, this.tenantMost.bytes);
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
