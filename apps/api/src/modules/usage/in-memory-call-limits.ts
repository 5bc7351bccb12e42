import type { CallLimits, CallLimitValues } from './call-limits.js';
import { MINUTE_MS, type Refusal, tooManyAtOnce, tooManyCalls } from './limits.js';

interface Window {
  startedAt: number;
  used: number;
}

const IDLE_TENANTS_MAX = 10_000;

/**
 * Exact counters of one node that is alone: calls in the running minute and calls in flight, per tenant.
 * Calls in flight are counted with or without a limit, so that a limit set later starts from the truth.
 */
export class InMemoryCallLimits implements CallLimits {
  private readonly windows = new Map<string, Window>();
  private readonly running = new Map<string, number>();

  constructor(private readonly now: () => number) {}

  enter(tenantId: string, { concurrentCalls, callsPerMinute }: CallLimitValues): Refusal | undefined {
    const running = this.running.get(tenantId) ?? 0;
    if (concurrentCalls !== undefined && running >= concurrentCalls) return tooManyAtOnce(concurrentCalls);
    if (callsPerMinute !== undefined) {
      const refusal = this.count(tenantId, callsPerMinute);
      if (refusal !== undefined) return refusal;
    }
    this.running.set(tenantId, running + 1);
    return undefined;
  }

  leave(tenantId: string): void {
    const running = this.running.get(tenantId) ?? 0;
    if (running <= 1) this.running.delete(tenantId);
    else this.running.set(tenantId, running - 1);
  }

  private count(tenantId: string, max: number): Refusal | undefined {
    const now = this.now();
    let window = this.windows.get(tenantId);
    if (window === undefined || now - window.startedAt >= MINUTE_MS) {
      if (this.windows.size >= IDLE_TENANTS_MAX) this.forgetOldWindows(now);
      window = { startedAt: now, used: 0 };
      this.windows.set(tenantId, window);
    }
    if (window.used >= max) return tooManyCalls(max, window.startedAt + MINUTE_MS - now);
    window.used += 1;
    return undefined;
  }

  private forgetOldWindows(now: number): void {
    for (const [tenantId, window] of this.windows) {
      if (now - window.startedAt >= MINUTE_MS) this.windows.delete(tenantId);
    }
  }
}
