import { type Refusal, tooManyListens } from './limits.js';
import type { ListenLimits } from './listen-limits.js';
import type { RedisPlaces } from './redis-places.js';

/** Counts listen streams over all nodes: one command to open one, one when it has closed. */
export class RedisListenLimits implements ListenLimits {
  constructor(private readonly places: RedisPlaces) {}

  async take(tenantId: string, owner: string, max: number): Promise<Refusal | (() => void)> {
    const name = `gantry:{${tenantId}}:listens:${owner}`;
    const answer = await this.places.enter(name, max);
    if (answer.kind !== 'admitted') return tooManyListens(max);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.places.leave(name);
    };
  }
}
