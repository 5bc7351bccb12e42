import type { Clock, SessionTurn, Timer } from '@gantry/mcp-core';

/** What a turn asks of the store. */
export interface TurnStore {
  /** False when the turn is another's. */
  renew(): Promise<boolean>;
  /** False when the turn was another's, or its session gone: nothing was stored. */
  end(state: string | undefined): Promise<boolean>;
}

/** A turn that is held, and renewed until it is given back. */
export class HeldTurn implements SessionTurn {
  private readonly losing = new AbortController();
  private timer: Timer | undefined;
  private ended: Promise<boolean> | undefined;

  /** @param heldUntil when it is another's unless it is renewed, by the clock given */
  constructor(
    readonly state: string,
    private readonly store: TurnStore,
    private readonly clock: Clock,
    private readonly times: { readonly leaseMs: number; readonly renewMs: number },
    private heldUntil: number,
  ) {
    this.schedule();
  }

  get lost(): AbortSignal {
    return this.losing.signal;
  }

  end(state?: string): Promise<boolean> {
    this.ended ??= this.giveBack(state);
    return this.ended;
  }

  private async giveBack(state: string | undefined): Promise<boolean> {
    this.timer?.cancel();
    const lost = this.lost.aborted;
    const stored = await this.store.end(lost ? undefined : state);
    return state === undefined || (stored && !lost);
  }

  private schedule(): void {
    this.timer = this.clock.setTimer(this.times.renewMs, () => void this.renew());
  }

  private async renew(): Promise<void> {
    const asked = this.clock.now();
    const held = await this.store.renew().catch(() => undefined);
    if (this.ended !== undefined) return;
    if (held) this.heldUntil = asked + this.times.leaseMs;
    // Without an answer it is this run's for as long as it was granted, and nobody knows for how long after that.
    if (held === false || this.clock.now() >= this.heldUntil) this.losing.abort();
    else this.schedule();
  }
}
