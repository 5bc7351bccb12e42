const BURST = 50;
const REFILL_MS = 1_000;
const ADDRESSES_MAX = 10_000;

/** How many unknown keys an address may ask for: a burst of 50, then one a second. */
export class LookupBudget {
  private readonly spent = new Map<string, { used: number; at: number }>();

  constructor(private readonly now: () => number) {}

  /** How long the address has to wait for its next look-up; 0 when it may go on. */
  waitMs(address: string): number {
    const entry = this.refilled(address);
    return entry !== undefined && entry.used >= BURST ? Math.ceil((entry.used - BURST + 1) * REFILL_MS) : 0;
  }

  spend(address: string): void {
    const used = (this.refilled(address)?.used ?? 0) + 1;
    this.spent.delete(address);
    if (this.spent.size >= ADDRESSES_MAX) this.spent.delete(this.spent.keys().next().value as string);
    this.spent.set(address, { used, at: this.now() });
  }

  /** Gives back what was spent on a key that turned out to be valid. */
  refund(address: string): void {
    const entry = this.spent.get(address);
    if (entry !== undefined) entry.used = Math.max(0, entry.used - 1);
  }

  private refilled(address: string): { used: number; at: number } | undefined {
    const entry = this.spent.get(address);
    if (entry === undefined) return undefined;
    const now = this.now();
    entry.used = Math.max(0, entry.used - (now - entry.at) / REFILL_MS);
    entry.at = now;
    return entry;
  }
}
