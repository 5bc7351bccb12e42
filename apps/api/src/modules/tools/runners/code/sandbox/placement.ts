/** What is known of a thread when a call is to be placed. */
export interface Candidate {
  readonly freePlaces: number;
  readonly guests: number;
  /** How many of them are of each tenant. */
  readonly tenants: ReadonlyMap<string, number>;
  /** Does code compute on it for long, or wait for its turn? */
  readonly busy: boolean;
}

/** How long a tenant whose code cost a thread is kept apart, and how many such tenants are remembered. */
const apartMs = 60_000;
const apartMax = 1_000;

/**
 * Chooses the thread for a call. A tenant keeps to half of the threads while there is room on them, so that its code
 * cannot compute everywhere at once. Among the threads that are left the order is: one without guests of a tenant
 * whose code cost a thread lately, as losing a thread ends all calls on it; one that does not compute; one with fewer
 * guests; the one that was given a call longest ago.
 */
export class Placement {
  private readonly apart = new Map<string, number>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Code of this tenant could only be stopped together with its thread. */
  lost(tenantId: string): void {
    this.apart.delete(tenantId);
    this.apart.set(tenantId, this.now() + apartMs);
    for (const oldest of this.apart.keys()) {
      if (this.apart.size <= apartMax) break;
      this.apart.delete(oldest);
    }
  }

  /** `threads` in the order in which they were last given a call. Undefined when none has room. */
  choose<T extends Candidate>(threads: readonly T[], tenantId: string): T | undefined {
    const own = threads.filter((thread) => thread.tenants.has(tenantId));
    const ownRoom = own.filter((thread) => thread.freePlaces > 0);
    const half = Math.max(1, Math.floor(threads.length / 2));
    const room = own.length >= half && ownRoom.length > 0 ? ownRoom : threads.filter((each) => each.freePlaces > 0);
    let best: { readonly thread: T; readonly cost: number } | undefined;
    for (const thread of room) {
      const cost = (this.risky(thread, tenantId) ? 2e6 : 0) + (thread.busy ? 1e6 : 0) + thread.guests;
      if (!best || cost < best.cost) best = { thread, cost };
    }
    return best?.thread;
  }

  private risky({ tenants }: Candidate, tenantId: string): boolean {
    const own = this.isApart(tenantId);
    for (const other of tenants.keys()) if (other !== tenantId && (own || this.isApart(other))) return true;
    return false;
  }

  private isApart(tenantId: string): boolean {
    return (this.apart.get(tenantId) ?? 0) > this.now();
  }
}
