/** How a JSON-RPC exchange ended, from the dispatcher's point of view. */
export type Outcome = 'ok' | 'error' | 'cancelled' | 'timeout' | 'closed';

/** Where the dispatcher counts and times what passes through it, in both directions. */
export interface Meter {
  recordRequest(
    method: string,
    side: 'server' | 'client',
    direction: 'in' | 'out',
    outcome: Outcome,
    durationMs: number,
  ): void;
  recordNotification(method: string, side: 'server' | 'client', direction: 'in' | 'out'): void;
}

/** Measures nothing. */
export const noopMeter: Meter = { recordRequest() {}, recordNotification() {} };
