import { openSync, readFileSync, readlinkSync, readSync } from 'node:fs';

let schedstat: number | undefined;
const buffer = Buffer.alloc(64);

// The first field of Linux's schedstat: nanoseconds on a CPU.
const milliseconds = (text: string): number | undefined => {
  const nanoseconds = Number.parseInt(text, 10);
  return Number.isFinite(nanoseconds) ? nanoseconds / 1e6 : undefined;
};

/** Milliseconds this thread has been on a CPU, or undefined where the system does not tell. */
export function threadCpuMs(): number | undefined {
  try {
    // The path is resolved to this thread when it is opened; reading the open file again is what makes it cheap.
    schedstat ??= openSync('/proc/thread-self/schedstat', 'r');
    return milliseconds(buffer.toString('latin1', 0, readSync(schedstat, buffer, 0, 64, 0)));
  } catch {
    return undefined;
  }
}

/** The system's number of this thread, or 0 where it does not tell. */
export function threadNumber(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1)) || 0;
  } catch {
    return 0;
  }
}

/** The same as `threadCpuMs` of another thread of this process. */
export function cpuMsOfThread(number: number): number | undefined {
  if (number === 0) return undefined;
  try {
    return milliseconds(readFileSync(`/proc/self/task/${number}/schedstat`, 'latin1'));
  } catch {
    return undefined;
  }
}

/**
 * Counts the time that tenant code computes, over all the stretches of one call.
 * A stretch is first measured by the wall clock, which is cheap; only when that says the budget is spent is the
 * thread's own CPU time asked, so that a busy machine does not take a call's budget away.
 */
export class GuestClock {
  private usedMs = 0;
  private entered: { readonly wall: number; readonly cpu: number | undefined } | undefined;
  private askAgainAt = 0;

  constructor(
    private readonly budgetMs: number,
    private readonly now: () => number = () => performance.now(),
    private readonly cpuMs: () => number | undefined = threadCpuMs,
  ) {}

  enter(): void {
    this.entered = { wall: this.now(), cpu: this.cpuMs() };
    this.askAgainAt = 0;
  }

  leave(): void {
    this.usedMs = this.spent(this.now());
    this.entered = undefined;
  }

  /** To be asked again and again during a stretch: is the budget spent? */
  exhausted(): boolean {
    const now = this.now();
    if (now < this.askAgainAt || this.usedMs + now - (this.entered?.wall ?? now) < this.budgetMs) return false;
    const left = this.budgetMs - this.spent(now);
    this.askAgainAt = now + left;
    return left <= 0;
  }

  private spent(now: number): number {
    if (!this.entered) return this.usedMs;
    const { wall, cpu } = this.entered;
    const elapsed = now - wall;
    const onCpu = cpu === undefined ? elapsed : (this.cpuMs() ?? cpu + elapsed) - cpu;
    return this.usedMs + Math.min(elapsed, onCpu);
  }
}
