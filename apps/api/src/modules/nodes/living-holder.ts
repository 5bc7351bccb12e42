import type { Clock } from '@gantry/mcp-core';
import type { LeaseHolder, NodeLeaseRepository } from './node-lease.repository.js';

/** The lease of a node that runs without Redis: it is alone. */
export const LONE_LEASE = 'single-node';
/** The mark of nodes that share a Redis: whoever beat last holds it. */
export const SHARED_MARK = 'redis-nodes';
export const BEAT_MS = 2_500;
export const STALE_MS = 10_000;
export const LOOK_MS = 500;

/** Another node runs on the database: one line for whoever started this one. */
export class LeaseTakenError extends Error {}

/** Who holds a lease and beats. Waits just long enough to tell a living holder from one that was killed. */
export async function livingHolder(
  leases: NodeLeaseRepository,
  name: string,
  clock: Clock,
): Promise<LeaseHolder | undefined> {
  let seen: LeaseHolder | undefined;
  for (;;) {
    const holder = await leases.holder(name);
    if (holder === undefined || holder.ageMs >= STALE_MS) return undefined;
    if (seen !== undefined && (holder.holder !== seen.holder || holder.ageMs < seen.ageMs)) return holder;
    seen = holder;
    await new Promise<void>((resolve) => clock.setTimer(LOOK_MS, resolve));
  }
}
