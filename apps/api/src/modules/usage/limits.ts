import type { TenantLimits } from '@gantry/contracts';

/** What a tenant may use at once, and what the platform allows where the tenant says nothing. */
export interface EffectiveLimits {
  readonly callsPerMinute: number | undefined;
  readonly concurrentCalls: number | undefined;
  readonly sessions: number;
  readonly sessionsPerKey: number;
  readonly listens: number;
}

/** Why a call may not start now. */
export interface Refusal {
  readonly limit: 'callsPerMinute' | 'concurrentCalls' | 'sessions' | 'listens';
  readonly max: number;
  readonly retryAfterSeconds: number;
}

interface Window {
  startedAt: number;
  used: number;
}

const MINUTE_MS = 60_000;
const IDLE_TENANTS_MAX = 10_000;

/**
 * Exact counters of one node: calls in the running minute and calls in flight, per tenant.
 * Calls in flight are counted with or without a limit, so that a limit set later starts from the truth.
 */
export class CallLimits {
  private readonly windows = new Map<string, Window>();
  private readonly running = new Map<string, number>();

  constructor(private readonly now: () => number) {}

  /** Takes a place for one call; give it back with `leave` when this returned undefined. */
  enter(tenantId: string, limits: EffectiveLimits): Refusal | undefined {
    const { concurrentCalls, callsPerMinute } = limits;
    const running = this.running.get(tenantId) ?? 0;
    if (concurrentCalls !== undefined && running >= concurrentCalls) {
      return { limit: 'concurrentCalls', max: concurrentCalls, retryAfterSeconds: 1 };
    }
    if (callsPerMinute !== undefined) {
      const refusal = this.count(tenantId, callsPerMinute);
      if (refusal !== undefined) return refusal;
    }
    this.running.set(tenantId, running + 1);
    return undefined;
  }

  /** Ends a call that `enter` let in. */
  leave(tenantId: string): void {
    const running = this.running.get(tenantId) ?? 0;
    if (running <= 1) this.running.delete(tenantId);
    else this.running.set(tenantId, running - 1);
  }

  private count(tenantId: string, max: number): Refusal | undefined {
    const now = this.now();
    const window = this.windows.get(tenantId);
    if (window === undefined || now - window.startedAt >= MINUTE_MS) {
      if (this.windows.size >= IDLE_TENANTS_MAX) this.forgetOldWindows(now);
      this.windows.set(tenantId, { startedAt: now, used: 1 });
      return undefined;
    }
    if (window.used >= max) {
      const waitMs = window.startedAt + MINUTE_MS - now;
      return { limit: 'callsPerMinute', max, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) };
    }
    window.used += 1;
    return undefined;
  }

  private forgetOldWindows(now: number): void {
    for (const [tenantId, window] of this.windows) {
      if (now - window.startedAt >= MINUTE_MS) this.windows.delete(tenantId);
    }
  }
}

/** A tenant's own limits before the platform's defaults. */
export function effectiveLimits(
  own: TenantLimits,
  platform: {
    callsPerMinute: number | undefined;
    concurrentCalls: number | undefined;
    sessions: number;
    sessionsPerKey: number;
    listensPerKey: number;
  },
): EffectiveLimits {
  return {
    callsPerMinute: own.callsPerMinute ?? platform.callsPerMinute,
    concurrentCalls: own.concurrentCalls ?? platform.concurrentCalls,
    sessions: own.sessions ?? platform.sessions,
    sessionsPerKey: platform.sessionsPerKey,
    listens: own.listens ?? platform.listensPerKey,
  };
}
