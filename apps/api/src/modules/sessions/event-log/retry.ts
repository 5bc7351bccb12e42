import type { Clock } from '@gantry/mcp-core';
import { reconnectDelayMs } from '../../../infra/redis/redis-clients.js';

/** Redis was away for so long that waiting on makes no sense; whether a write took effect is not known. */
export class LogAwayError extends Error {}

/** Answers of a Redis that cannot serve at the moment. */
const PASSING = /^(LOADING|CLUSTERDOWN|TRYAGAIN|MASTERDOWN|READONLY|BUSY|MOVED|ASK|MISCONF|NOREPLICAS|OOM)\b/;

export interface RetryOptions {
  readonly clock: Clock;
  readonly deadlineMs: number;
  /** Told before each further attempt. */
  readonly onRetry: () => void;
}

/**
 * Tries until Redis has answered, for as long as the deadline lets. A connection that breaks says nothing of whether
 * the command was carried out: what is tried again must have the same effect as once.
 * @throws LogAwayError after the deadline; at once what Redis refuses for good
 */
export async function retrying<T>(attempt: () => Promise<T>, { clock, deadlineMs, onRetry }: RetryOptions): Promise<T> {
  const end = clock.now() + deadlineMs;
  for (let failed = 0; ; failed++) {
    try {
      return await attempt();
    } catch (error) {
      if (!mayPass(error)) throw error;
      const delay = reconnectDelayMs(failed);
      if (clock.now() + delay >= end) throw new LogAwayError('the event log could not be reached', { cause: error });
      await new Promise<void>((resolve) => void clock.setTimer(delay, resolve));
      onRetry();
    }
  }
}

/** Whether the same command may be answered later. */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name !== 'ReplyError' || PASSING.test(error.message);
}
