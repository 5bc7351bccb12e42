import type { EffectiveLimits, Refusal } from './limits.js';

/** What is needed of a living session to count it. */
export interface CountedSession {
  readonly tenantId: string;
  readonly owner: string;
}

interface Estimate {
  /** Living sessions when they were last counted. */
  counted: number;
  /** Opened since; some of them may have ended. */
  opened: number;
  countedAt: number;
}

const RECOUNT_MS = 1_000;
const ESTIMATES_MAX = 20_000;

/**
 * Caps of living sessions per tenant and per key. Counting every session at each `initialize` would cost the more the
 * more there are, so an upper bound is kept, and only when that reaches a cap are the sessions counted, at most once a
 * second.
 */
export class SessionLimits {
  private readonly estimates = new Map<string, Estimate>();
  private counting: Promise<readonly CountedSession[]> | undefined;

  constructor(
    private readonly list: () => Promise<readonly CountedSession[]>,
    private readonly now: () => number,
  ) {}

  /** Whether one more session may be opened; it counts as opened when this gives undefined. */
  open(tenantId: string, owner: string, limits: EffectiveLimits): Refusal | undefined | Promise<Refusal | undefined> {
    const keys = [`t:${tenantId}`, `o:${tenantId}/${owner}`];
    const caps = [limits.sessions, limits.sessionsPerKey];
    const free = keys.every((key, at) => this.upperBound(key) < (caps[at] as number));
    if (free) return this.take(keys);
    const stale = keys.some((key) => this.now() - (this.estimates.get(key)?.countedAt ?? 0) >= RECOUNT_MS);
    return stale ? this.recount(tenantId, owner, keys).then(() => this.judge(keys, caps)) : this.judge(keys, caps);
  }

  private judge(keys: readonly string[], caps: readonly number[]): Refusal | undefined {
    for (const [at, key] of keys.entries()) {
      const max = caps[at] as number;
      if (this.upperBound(key) >= max) return { limit: 'sessions', max, retryAfterSeconds: 5 };
    }
    return this.take(keys);
  }

  private take(keys: readonly string[]): undefined {
    for (const key of keys) {
      const estimate = this.estimates.get(key);
      if (estimate !== undefined) estimate.opened += 1;
      else this.keep(key, { counted: 0, opened: 1, countedAt: 0 });
    }
  }

  private upperBound(key: string): number {
    const estimate = this.estimates.get(key);
    return estimate === undefined ? 0 : estimate.counted + estimate.opened;
  }

  private async recount(tenantId: string, owner: string, keys: readonly string[]): Promise<void> {
    this.counting ??= this.list().finally(() => {
      this.counting = undefined;
    });
    const mine = (await this.counting).filter((session) => session.tenantId === tenantId);
    const counts = [mine.length, mine.filter((session) => session.owner === owner).length];
    for (const [at, key] of keys.entries()) {
      this.keep(key, { counted: counts[at] as number, opened: 0, countedAt: this.now() });
    }
  }

  private keep(key: string, estimate: Estimate): void {
    if (!this.estimates.has(key) && this.estimates.size >= ESTIMATES_MAX) {
      const oldest = this.estimates.keys().next().value;
      if (oldest !== undefined) this.estimates.delete(oldest);
    }
    this.estimates.set(key, estimate);
  }
}
