import { tooMany } from '../../common/errors/app-error.js';

export const LOCKED_OUT = 'Too many failed attempts. Wait 15 minutes and try again.';
const WORDS = { locked_out: LOCKED_OUT, rate_limited: 'Too many failed attempts. Wait and try again.' } as const;

/**
 * Failed attempts by a free-form name (an address, an unknown e-mail), bounded in number and in memory. `rate_limited`
 * counts those of a window that begins with the first; `locked_out` counts on, and refuses for a window from the last
 * that was let through, as people's own lock does.
 */
export class AttemptLimiter {
  private readonly attempts = new Map<string, { count: number; resetAt: number }>();

  constructor(
    private readonly bound: number,
    private readonly windowMs: number,
    private readonly code: 'locked_out' | 'rate_limited',
    private readonly now: () => number = Date.now,
    private readonly maxNames = 10_000,
  ) {}

  /** Counts an attempt. Throws when the name has used up its attempts of the window. */
  take(name: string): void {
    const now = this.now();
    let entry = this.attempts.get(name);
    if (entry === undefined || entry.resetAt <= now) {
      entry = { count: 0, resetAt: this.code === 'locked_out' ? Number.POSITIVE_INFINITY : now + this.windowMs };
      this.attempts.delete(name);
      this.attempts.set(name, entry);
      this.forgetOldest();
    }
    if (entry.count >= this.bound) {
      throw tooMany(this.code, WORDS[this.code], entry.resetAt - now);
    }
    entry.count += 1;
    if (entry.count === this.bound && this.code === 'locked_out') entry.resetAt = now + this.windowMs;
  }

  clear(name: string): void {
    this.attempts.delete(name);
  }

  private forgetOldest(): void {
    if (this.attempts.size <= this.maxNames) return;
    const oldest = this.attempts.keys().next().value;
    if (oldest !== undefined) this.attempts.delete(oldest);
  }
}
