import { type Refusal, tooManyListens } from './limits.js';
import type { ListenLimits } from './listen-limits.js';

/** Counts the open listen streams of one node that is alone. */
export class InMemoryListenLimits implements ListenLimits {
  private readonly open = new Map<string, number>();

  take(tenantId: string, owner: string, max: number): Refusal | (() => void) {
    const name = `${tenantId} ${owner}`;
    const open = this.open.get(name) ?? 0;
    if (open >= max) return tooManyListens(max);
    this.open.set(name, open + 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const left = (this.open.get(name) ?? 1) - 1;
      if (left <= 0) this.open.delete(name);
      else this.open.set(name, left);
    };
  }
}
