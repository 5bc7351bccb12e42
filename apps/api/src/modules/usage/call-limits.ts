import type { MaybePromise } from '@gantry/mcp-core';
import type { EffectiveLimits, Refusal } from './limits.js';

/** Injection token of `CallLimits`. */
export const CALL_LIMITS = Symbol('CallLimits');

/** The limits of calls, each undefined for none. */
export type CallLimitValues = Pick<EffectiveLimits, 'callsPerMinute' | 'concurrentCalls'>;

/**
 * What a tenant's calls may use, on all nodes together: calls a minute and calls at once. Both are exact; a rate of
 * 1 000 a minute and more may come out up to 2 % short. A call that is refused counts as neither.
 */
export interface CallLimits {
  /**
   * Takes a place for one call; give it back with `leave` when this gave undefined. Nobody is asked, and the answer is
   * no promise, where neither limit is set.
   * @throws when it cannot be told whether the call may start: it must not
   */
  enter(tenantId: string, limits: CallLimitValues): MaybePromise<Refusal | undefined>;
  /** Ends a call that `enter` let in. */
  leave(tenantId: string): void;
}
