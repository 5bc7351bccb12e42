import type { CallLimits, CallLimitValues } from './call-limits.js';
import { type Refusal, tooManyAtOnce, tooManyCalls } from './limits.js';
import { RateLeases } from './rate-leases.js';
import type { RedisPlaces } from './redis-places.js';

/** Rates from here on are leased in parts. */
const LEASED_FROM = 1_000;
const FULL_MAX = 10_000;

/**
 * Counts calls over all nodes. A call under a small rate, a cap on calls at once, or both: one command before it, and
 * with a cap one after it. Where a cap is set while calls run, each node's own count once it has let in one more.
 */
export class RedisCallLimits implements CallLimits {
  private readonly leases: RateLeases;
  /** Minutes that are used up: whoever is refused in them costs nobody a command. */
  private readonly full = new Map<string, { readonly max: number; readonly endsAt: number }>();

  constructor(
    private readonly places: RedisPlaces,
    private readonly now: () => number,
  ) {
    const draw = async (tenantId: string, max: number, want: number) => {
      const answer = await places.enterRate(callsKey(tenantId), { key: minuteKey(tenantId), max, want });
      if (answer.kind === 'admitted') return answer;
      return { granted: 0, leftMs: answer.kind === 'no call' ? answer.leftMs : 0 };
    };
    this.leases = new RateLeases(draw, now);
  }

  enter(tenantId: string, limits: CallLimitValues): Refusal | undefined | Promise<Refusal | undefined> {
    const { callsPerMinute: rate, concurrentCalls: max } = limits;
    if (rate !== undefined && rate >= LEASED_FROM) return this.enterLeased(tenantId, rate, max);
    if (rate !== undefined) return this.fullNow(tenantId, rate) ?? this.enterExactly(tenantId, rate, max);
    if (max !== undefined) return this.enterCapped(tenantId, max);
    this.places.enterUnasked(callsKey(tenantId));
    return undefined;
  }

  leave(tenantId: string): void {
    this.places.leave(callsKey(tenantId));
  }

  private enterLeased(
    tenantId: string,
    rate: number,
    max: number | undefined,
  ): Refusal | undefined | Promise<Refusal | undefined> {
    const taken = this.leases.take(tenantId, rate);
    if (taken === undefined) {
      return this.leases.wait(tenantId, rate).then((got) => this.enterWith(got, tenantId, rate, max));
    }
    return this.enterWith(taken, tenantId, rate, max);
  }

  private enterWith(
    taken: 'taken' | { readonly waitMs: number },
    tenantId: string,
    rate: number,
    max: number | undefined,
  ): Refusal | undefined | Promise<Refusal | undefined> {
    if (taken !== 'taken') return tooManyCalls(rate, taken.waitMs);
    if (max === undefined) {
      this.places.enterUnasked(callsKey(tenantId));
      return undefined;
    }
    const giveBack = () => this.leases.giveBack(tenantId, rate);
    return this.enterCapped(tenantId, max).then(
      (refusal) => {
        if (refusal !== undefined) giveBack();
        return refusal;
      },
      (error) => {
        giveBack();
        throw error;
      },
    );
  }

  private async enterCapped(tenantId: string, max: number): Promise<Refusal | undefined> {
    const answer = await this.places.enter(callsKey(tenantId), max);
    return answer.kind === 'admitted' ? undefined : tooManyAtOnce(max);
  }

  private async enterExactly(tenantId: string, rate: number, max: number | undefined): Promise<Refusal | undefined> {
    const { places } = this;
    const askedAt = this.now();
    const name = callsKey(tenantId);
    const ask = { key: minuteKey(tenantId), max: rate, want: 1 };
    const answer = max === undefined ? await places.enterRate(name, ask) : await places.enter(name, max, ask);
    if (answer.kind === 'no place') return tooManyAtOnce(max ?? 0);
    if (answer.kind === 'no call') {
      if (this.full.size >= FULL_MAX) this.full.clear();
      this.full.set(tenantId, { max: rate, endsAt: askedAt + answer.leftMs });
      return tooManyCalls(rate, answer.leftMs);
    }
    if (max === undefined) places.enterUnasked(name);
    return undefined;
  }

  private fullNow(tenantId: string, rate: number): Refusal | undefined {
    const full = this.full.get(tenantId);
    if (full === undefined) return undefined;
    const waitMs = full.endsAt - this.now();
    if (full.max === rate && waitMs > 0) return tooManyCalls(rate, waitMs);
    this.full.delete(tenantId);
    return undefined;
  }
}

function callsKey(tenantId: string): string {
  return `gantry:{${tenantId}}:calls`;
}

function minuteKey(tenantId: string): string {
  return `gantry:{${tenantId}}:minute`;
}
