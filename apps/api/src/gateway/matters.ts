import type { Clock, Timer } from '@gantry/mcp-core';

/** Work on one matter: done, or to be looked at again in so many milliseconds. */
export type MatterWork = () => Promise<number | undefined>;

interface Matter {
  work: MatterWork;
  running: boolean;
  /** Came up again while it was worked on. */
  again: boolean;
  failed: boolean;
  timer: Timer | undefined;
}

/** What stands on the database or Redis is tried again until they are back. */
const RETRY_MS = 1_000;

/**
 * Things to be seen to by name, each until it is done. One name is worked on by one at a time; what comes up again
 * meanwhile is seen to once more. Faults are told once for each matter.
 */
export class Matters {
  private readonly open = new Map<string, Matter>();
  private closed = false;

  constructor(
    private readonly clock: Clock,
    private readonly onFault: (error: unknown) => void,
  ) {}

  attend(name: string, work: MatterWork): void {
    if (this.closed) return;
    const known = this.open.get(name);
    if (known !== undefined) {
      known.work = work;
      if (known.running) known.again = true;
      else this.start(name, known);
      return;
    }
    const matter: Matter = { work, running: false, again: false, failed: false, timer: undefined };
    this.open.set(name, matter);
    this.start(name, matter);
  }

  /** Nothing more is begun. */
  close(): void {
    this.closed = true;
    for (const { timer } of this.open.values()) timer?.cancel();
    this.open.clear();
  }

  private start(name: string, matter: Matter): void {
    matter.timer?.cancel();
    matter.timer = undefined;
    matter.running = true;
    matter.again = false;
    matter
      .work()
      .catch((error: unknown) => {
        if (!matter.failed) this.onFault(error);
        matter.failed = true;
        return RETRY_MS;
      })
      .then((laterMs) => {
        matter.running = false;
        if (this.closed) return;
        if (matter.again) return this.start(name, matter);
        if (laterMs === undefined) return void this.open.delete(name);
        matter.timer = this.clock.setTimer(laterMs, () => this.start(name, matter));
      });
  }
}
