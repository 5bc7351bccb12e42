import type { Refusal } from './limits.js';

/** Counts open listen streams per owner; a closed stream frees its place at once. */
export class ListenLimits {
  private readonly open = new Map<string, number>();

  /** Takes one place and returns what gives it back (once), or says why not. */
  take(owner: string, max: number): Refusal | (() => void) {
    const open = this.open.get(owner) ?? 0;
    if (open >= max) return { limit: 'listens', max, retryAfterSeconds: 5 };
    this.open.set(owner, open + 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const left = (this.open.get(owner) ?? 1) - 1;
      if (left <= 0) this.open.delete(owner);
      else this.open.set(owner, left);
    };
  }

  /** Streams open now, over all owners. */
  get size(): number {
    let sum = 0;
    for (const open of this.open.values()) sum += open;
    return sum;
  }
}
