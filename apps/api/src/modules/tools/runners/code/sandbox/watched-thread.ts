import { Worker } from 'node:worker_threads';
import { cpuMsOfThread } from './guest-clock.js';
import {
  type CheckRequest,
  type FromSandbox,
  type RunEnd,
  type RunRequest,
  sharedCell,
  sharedCells,
  type ThreadSettings,
  type ToSandbox,
} from './messages.js';

/** Beyond its own limits a thread has this long to end a call before it is terminated. */
const overdueMs = 400;
/**
 * Code that computes this long beyond its budget without reaching an interrupt is inside one native operation: by the
 * thread's CPU time, or, where that is not known, by the clock.
 */
const stuckMs = { cpu: 100, clock: 800 };

interface Current {
  readonly request: RunRequest | CheckRequest;
  readonly startedAt: number;
  cancelledAt?: number;
}

/** A worker thread with the means to end what it does: it is terminated and succeeded by a new one. */
export class WatchedThread {
  private worker!: Worker;
  private current: Current | undefined;
  private shared!: Int32Array;
  private heartbeat = 0;
  private heartbeatAt = 0;
  private heartbeatCpu: number | undefined;
  private ready = false;
  private succeeded = false;

  constructor(
    private readonly module: WebAssembly.Module,
    private readonly memoryBytes: number,
    private readonly emit: (message: FromSandbox) => void,
  ) {
    this.begin();
  }

  get idle(): boolean {
    return this.ready && !this.current;
  }

  get call(): number | undefined {
    return this.current?.request.id;
  }

  take(request: RunRequest | CheckRequest): void {
    this.current = { request, startedAt: performance.now() };
    // Whatever beat it shows now is not one of this call.
    this.heartbeat = -1;
    Atomics.store(this.shared, sharedCell.cancelled, 0);
    this.worker.postMessage(request);
  }

  deliver(message: ToSandbox): void {
    if (message.t === 'cancel' && this.current) {
      this.current.cancelledAt ??= performance.now();
      Atomics.store(this.shared, sharedCell.cancelled, 1);
    }
    this.worker.postMessage(message);
  }

  /** Called a few times a second: ends a call that does not end by itself. */
  watch(now: number): void {
    if (!this.current) return;
    const { request, startedAt, cancelledAt } = this.current;
    const { cpuMs, wallMs } = request.t === 'run' ? request.limits : { cpuMs: 200, wallMs: 10_000 };
    if (cancelledAt !== undefined && now - cancelledAt > overdueMs) this.replace({ how: 'cancelled' });
    else if (this.stuck(now, cpuMs)) this.replace({ how: 'limit', limit: 'cpu' });
    else if (now - startedAt > wallMs + overdueMs) this.replace({ how: 'limit', limit: 'wall' });
  }

  private stuck(now: number, cpuMs: number): boolean {
    const beat = Atomics.load(this.shared, sharedCell.heartbeat);
    const cpu = cpuMsOfThread(Atomics.load(this.shared, sharedCell.threadId));
    if (beat !== this.heartbeat || Atomics.load(this.shared, sharedCell.inGuest) === 0) {
      this.heartbeat = beat;
      this.heartbeatAt = now;
      this.heartbeatCpu = cpu;
      return false;
    }
    if (cpu === undefined || this.heartbeatCpu === undefined) return now - this.heartbeatAt > cpuMs + stuckMs.clock;
    return cpu - this.heartbeatCpu > cpuMs + stuckMs.cpu;
  }

  private begin(): void {
    const buffer = new SharedArrayBuffer(sharedCells * Int32Array.BYTES_PER_ELEMENT);
    this.shared = new Int32Array(buffer);
    this.ready = false;
    this.succeeded = false;
    const worker = new Worker(new URL('./thread.js', import.meta.url), {
      workerData: { module: this.module, shared: buffer, memoryBytes: this.memoryBytes } satisfies ThreadSettings,
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
    });
    this.worker = worker;
    worker.on('message', (message: FromSandbox) => {
      if (worker === this.worker) this.received(message);
    });
    worker.on('error', (error: NodeJS.ErrnoException) => {
      const memory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      if (worker === this.worker) {
        this.replace(memory ? { how: 'limit', limit: 'memory' } : { how: 'crashed', detail: error.message });
      }
    });
    worker.on('exit', () => {
      if (worker === this.worker) this.replace({ how: 'crashed', detail: 'the sandbox thread ended' });
    });
  }

  private received(message: FromSandbox): void {
    if (message.t === 'slot') this.ready = true;
    if (message.t === 'end') {
      if (message.id !== this.current?.request.id) return;
      this.current = undefined;
    }
    this.emit(message);
  }

  private replace(end: RunEnd): void {
    if (this.succeeded) return;
    this.succeeded = true;
    const wasReady = this.ready;
    const { worker, current } = this;
    this.current = undefined;
    this.ready = false;
    void worker.terminate();
    if (current) this.emit({ t: 'end', id: current.request.id, end, free: false });
    // A thread that cannot even start would be started for ever: the process ends and is judged by its parent.
    if (!wasReady) throw new Error(`a sandbox thread did not start: ${JSON.stringify(end)}`);
    this.begin();
  }
}
