import type { TenantLimits } from '@gantry/contracts';

/** What a tenant may use at once, and what the platform allows where the tenant says nothing. */
export interface EffectiveLimits {
  readonly callsPerMinute: number | undefined;
  readonly concurrentCalls: number | undefined;
  readonly sessions: number;
  readonly sessionsPerKey: number;
  readonly listens: number;
  readonly concurrentJobs: number;
}

/** Why something may not start now. */
export interface Refusal {
  readonly limit: 'callsPerMinute' | 'concurrentCalls' | 'sessions' | 'listens';
  readonly max: number;
  readonly retryAfterSeconds: number;
}

/** The calls of a minute are counted from its first call on. */
export const MINUTE_MS = 60_000;

/** A tenant's own limits before the platform's defaults. */
export function effectiveLimits(
  own: TenantLimits,
  platform: {
    callsPerMinute: number | undefined;
    concurrentCalls: number | undefined;
    sessions: number;
    sessionsPerKey: number;
    listensPerKey: number;
    concurrentJobs: number;
  },
): EffectiveLimits {
  return {
    callsPerMinute: own.callsPerMinute ?? platform.callsPerMinute,
    concurrentCalls: own.concurrentCalls ?? platform.concurrentCalls,
    sessions: own.sessions ?? platform.sessions,
    sessionsPerKey: platform.sessionsPerKey,
    listens: own.listens ?? platform.listensPerKey,
    concurrentJobs: own.concurrentJobs ?? platform.concurrentJobs,
  };
}

export function tooManyCalls(max: number, waitMs: number): Refusal {
  return { limit: 'callsPerMinute', max, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) };
}

export function tooManyAtOnce(max: number): Refusal {
  return { limit: 'concurrentCalls', max, retryAfterSeconds: 1 };
}

export function tooManyListens(max: number): Refusal {
  return { limit: 'listens', max, retryAfterSeconds: 5 };
}
