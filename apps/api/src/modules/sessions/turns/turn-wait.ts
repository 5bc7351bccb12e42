import type { Clock, Timer } from '@gantry/mcp-core';

export type Woken = 'rung' | 'late' | 'aborted';

/** The wait of one call for its turn. What happens while nobody looks is not missed. */
export class TurnWait {
  private over: 'late' | 'aborted' | undefined;
  private rung = false;
  private wake: (() => void) | undefined;
  private readonly limit: Timer;
  private readonly abort = () => this.end('aborted');

  constructor(
    private readonly clock: Clock,
    private readonly signal: AbortSignal,
    limitMs: number,
  ) {
    this.limit = clock.setTimer(limitMs, () => this.end('late'));
    signal.addEventListener('abort', this.abort, { once: true });
    if (signal.aborted) this.end('aborted');
  }

  /** The turn may have come. */
  ring(): void {
    this.rung = true;
    this.wake?.();
  }

  /** Resolves when the turn may have come, at the latest after `recheckMs`, or when the wait is over. */
  async next(recheckMs: number): Promise<Woken> {
    if (!this.rung && this.over === undefined) {
      const timer = this.clock.setTimer(recheckMs, () => this.ring());
      await new Promise<void>((resolve) => (this.wake = resolve));
      timer.cancel();
    }
    this.rung = false;
    return this.over ?? 'rung';
  }

  close(): void {
    this.limit.cancel();
    this.signal.removeEventListener('abort', this.abort);
  }

  private end(why: 'late' | 'aborted'): void {
    this.over ??= why;
    this.wake?.();
  }
}
