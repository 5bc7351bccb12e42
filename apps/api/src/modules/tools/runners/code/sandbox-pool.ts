import type { FromSandbox } from './sandbox/messages.js';
import { SandboxProcess, type SandboxProcessOptions } from './sandbox-process.js';

const startMs = 20_000;
/** A process that lived only a short life is started again more slowly each time. */
const restartMs = { shortLife: 2_000, first: 100, most: 5_000 };

export interface SandboxPoolOptions extends Omit<SandboxProcessOptions, 'onMessage' | 'onExit'> {
  readonly processes: number;
  /** Places were added or withdrawn. */
  readonly onPlaces: () => void;
  readonly onMessage: (message: Exclude<FromSandbox, { t: 'places' }>, from: SandboxProcess) => void;
  /** A process ended that should not have; another is started in its place. */
  readonly onLost: (process: SandboxProcess) => void;
}

/** Always as many sandbox processes as were asked for, once they are started. */
export class SandboxPool {
  private readonly processes = new Set<SandboxProcess>();
  private readonly restarts = new Set<NodeJS.Timeout>();
  private restartDelay = 0;
  private state: 'new' | 'open' | 'closed' = 'new';
  private readonly started: Promise<void>;
  private startDone!: () => void;
  private startFailed!: (error: Error) => void;
  private startTimer: NodeJS.Timeout | undefined;

  constructor(private readonly options: SandboxPoolOptions) {
    this.started = new Promise((resolve, reject) => {
      this.startDone = resolve;
      this.startFailed = reject;
    });
    // Whoever only runs calls is told by the deadline of the queue.
    this.started.catch(() => {});
  }

  get size(): number {
    return this.processes.size;
  }

  /** Calls that the processes hold. */
  get guests(): number {
    return Array.from(this.processes, ({ guests }) => guests).reduce((sum, guests) => sum + guests, 0);
  }

  /** Starts the processes. Resolves when the first thread takes calls; rejects when none does in time. */
  start(): Promise<void> {
    if (this.state === 'new') {
      this.state = 'open';
      for (let i = 0; i < this.options.processes; i++) this.spawn();
      this.startTimer = setTimeout(() => {
        this.startFailed(new Error(`no sandbox process became ready within ${startMs} ms`));
      }, startMs);
    }
    return this.started;
  }

  /** The process with the most free places; undefined when none has one. */
  freest(): SandboxProcess | undefined {
    let best: SandboxProcess | undefined;
    for (const process of this.processes) {
      if (process.free > (best?.free ?? 0)) best = process;
    }
    return best;
  }

  /** Ends all processes. Whoever waits for the start is given `reason`. */
  async close(reason: Error): Promise<void> {
    this.state = 'closed';
    for (const timer of this.restarts) clearTimeout(timer);
    clearTimeout(this.startTimer);
    this.startFailed(reason);
    await Promise.all(Array.from(this.processes, (process) => process.close()));
  }

  private spawn(): void {
    const { entry, threads, guestsPerThread, memoryBytes } = this.options;
    const process = new SandboxProcess({
      entry,
      threads,
      guestsPerThread,
      memoryBytes,
      onMessage: (message, from) => this.received(message, from),
      onExit: (from) => this.lost(from),
    });
    this.processes.add(process);
  }

  private received(message: FromSandbox, from: SandboxProcess): void {
    if (message.t !== 'places') return this.options.onMessage(message, from);
    from.places += message.change;
    clearTimeout(this.startTimer);
    this.startDone();
    this.options.onPlaces();
  }

  private lost(process: SandboxProcess): void {
    this.processes.delete(process);
    if (this.state === 'closed') return;
    this.options.onLost(process);
    const shortLived = performance.now() - process.spawnedAt < restartMs.shortLife;
    this.restartDelay = shortLived ? Math.min(restartMs.most, this.restartDelay * 2 || restartMs.first) : 0;
    const timer = setTimeout(() => {
      this.restarts.delete(timer);
      this.spawn();
    }, this.restartDelay);
    this.restarts.add(timer);
  }
}
