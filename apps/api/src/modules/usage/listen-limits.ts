import type { MaybePromise } from '@gantry/mcp-core';
import type { Refusal } from './limits.js';

/** Injection token of `ListenLimits`. */
export const LISTEN_LIMITS = Symbol('ListenLimits');

/** How many listen streams one caller of a tenant has open on all nodes together. Exact. */
export interface ListenLimits {
  /**
   * Takes one place and returns what gives it back (once), or says why not.
   * @throws when it cannot be told whether there is a place: there is none then
   */
  take(tenantId: string, owner: string, max: number): MaybePromise<Refusal | (() => void)>;
}
