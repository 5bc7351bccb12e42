import { MINUTE_MS } from './limits.js';

/** What a node may let in of a tenant's calls without asking again. */
interface Lease {
  /** The limit it is a part of. */
  readonly max: number;
  left: number;
  /** When the minute it belongs to ends, by the clock. */
  endsAt: number;
  /** Nothing is left of the minute, on any node. */
  empty: boolean;
  /** The question under way, and how many calls wait for its answer. */
  asking: Promise<void> | undefined;
  waiting: number;
}

/** Takes calls of the running minute: none are granted when it has none left. */
export type DrawCalls = (tenantId: string, max: number, want: number) => Promise<{ granted: number; leftMs: number }>;

const LEASED_PART = 0.005;
const IDLE_TENANTS_MAX = 10_000;

/**
 * Large rates, half a percent at a time: a node asks for the next part before the last is used up, so that a call waits
 * for nobody but at the start of a minute. No more than one part is ever held unused.
 */
export class RateLeases {
  private readonly leases = new Map<string, Lease>();

  constructor(
    private readonly draw: DrawCalls,
    private readonly now: () => number,
  ) {}

  /** Takes one call: `taken`, or the time until the next minute when none is left, or undefined: ask with `wait`. */
  take(tenantId: string, max: number): 'taken' | { readonly waitMs: number } | undefined {
    const lease = this.leaseOf(tenantId, max);
    const leftMs = lease.endsAt - this.now();
    if (leftMs <= 0) return undefined;
    if (lease.left > 0) {
      lease.left -= 1;
      if (lease.left <= partOf(max) / 2 && !lease.empty) {
        // Whoever needs it asks again, and is told.
        this.ask(tenantId, lease).catch(() => {});
      }
      return 'taken';
    }
    return lease.empty ? { waitMs: leftMs } : undefined;
  }

  /** Takes one call and waits for it. @throws when nobody can be asked */
  async wait(tenantId: string, max: number): Promise<'taken' | { readonly waitMs: number }> {
    for (;;) {
      const taken = this.take(tenantId, max);
      if (taken !== undefined) return taken;
      const lease = this.leaseOf(tenantId, max);
      lease.waiting += 1;
      try {
        await this.ask(tenantId, lease);
      } finally {
        lease.waiting -= 1;
      }
    }
  }

  /** Gives back a call that was taken and did not start. */
  giveBack(tenantId: string, max: number): void {
    const lease = this.leaseOf(tenantId, max);
    if (lease.endsAt > this.now()) lease.left += 1;
  }

  private ask(tenantId: string, lease: Lease): Promise<void> {
    lease.asking ??= this.fill(tenantId, lease).finally(() => {
      lease.asking = undefined;
    });
    return lease.asking;
  }

  private async fill(tenantId: string, lease: Lease): Promise<void> {
    const askedAt = this.now();
    const over = lease.endsAt <= askedAt;
    const want = Math.max(1, partOf(lease.max) - (over ? 0 : lease.left) + lease.waiting);
    const { granted, leftMs } = await this.draw(tenantId, lease.max, want);
    const endsAt = askedAt + leftMs;
    // An end that is nearer than it was is the same, seen with another delay.
    const sameMinute = endsAt - lease.endsAt < MINUTE_MS / 2;
    lease.left = granted + (sameMinute ? lease.left : 0);
    lease.endsAt = sameMinute ? Math.max(endsAt, lease.endsAt) : endsAt;
    lease.empty = granted === 0;
  }

  private leaseOf(tenantId: string, max: number): Lease {
    const known = this.leases.get(tenantId);
    if (known?.max === max) return known;
    if (this.leases.size >= IDLE_TENANTS_MAX) this.forgetOld();
    const lease: Lease = { max, left: 0, endsAt: 0, empty: false, asking: undefined, waiting: 0 };
    this.leases.set(tenantId, lease);
    return lease;
  }

  private forgetOld(): void {
    const now = this.now();
    for (const [tenantId, { endsAt }] of this.leases) if (endsAt <= now) this.leases.delete(tenantId);
  }
}

function partOf(max: number): number {
  return Math.max(1, Math.floor(max * LEASED_PART));
}
