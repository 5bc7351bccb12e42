import type { ToolOutcome } from '@gantry/mcp-core';
import { CallQueue } from './call-queue.js';
import { CheckCall, CodeCall, type CodeRun, type ProtocolErrorFactory, type QueuedCall } from './code-call.js';
import { toolError } from './outcome.js';
import type { CodeLimits, FromSandbox, SourceFault } from './sandbox/messages.js';
import { SandboxProcess } from './sandbox-process.js';

const MiB = 1024 * 1024;

/** The limits of a call where its `limits` say nothing. */
export const codeLimitDefaults: CodeLimits = Object.freeze({
  cpuMs: 200,
  memoryBytes: 64 * MiB,
  wallMs: 30_000,
  outputBytes: 16 * MiB,
  pendingCalls: 32,
  messages: 10_000,
  messageBytes: 4 * MiB,
  consoleBytes: 64 * 1024,
});

export interface CodeRunnerOptions {
  /** Makes the error for `throw ctx.error(…)`. */
  readonly protocolError: ProtocolErrorFactory;
  readonly processes?: number;
  /** Threads in each process; every call under way holds one, also while it waits. */
  readonly threads?: number;
  readonly limits?: Partial<CodeLimits>;
  /** Calls that wait for a thread, of all tenants and of one. */
  readonly queueMax?: number;
  readonly tenantQueueMax?: number;
  /** How long a call may wait for a thread. */
  readonly queueWaitMs?: number;
  /** The longest response body that `ctx.fetch` takes. */
  readonly fetchBytes?: number;
  /** Where the compiled entry of the sandbox process is. */
  readonly entry?: URL;
  /** Told when a process ended that should not have. */
  readonly onProcessLost?: (detail: { pid: number | undefined; fate: string }) => void;
}

export interface CodeRunnerStats {
  readonly processes: number;
  readonly threads: number;
  readonly running: number;
  readonly queued: number;
  /** Since the start: processes that were killed or died. */
  readonly killed: number;
}

/** A process that does not even confirm a cancel in this time is killed. */
const cancelMs = 900;
const startMs = 20_000;
/** A process that lived only a short life is started again more slowly each time. */
const restartMs = { shortLife: 2_000, first: 100, most: 5_000 };

/**
 * Runs tenant-written JavaScript in a pool of child processes that have no environment and no secrets. Every call gets
 * an instance of its own. What the code does wrong, limits included, is an outcome with `isError`; what goes wrong on
 * our side rejects. The calls of one tenant hold at most half of the threads.
 */
export class CodeRunner {
  private readonly processes = new Set<SandboxProcess>();
  private readonly running = new Map<number, QueuedCall>();
  private readonly queue: CallQueue<QueuedCall>;
  private readonly limits: CodeLimits;
  private readonly processCount: number;
  private readonly threads: number;
  private readonly restarts = new Set<NodeJS.Timeout>();
  private readonly watchdogs = new Map<number, NodeJS.Timeout[]>();
  private lastId = 0;
  private killed = 0;
  private restartDelay = 0;
  private state: 'new' | 'open' | 'closed' = 'new';
  private readonly started: Promise<void>;
  private startDone!: () => void;
  private startFailed!: (error: Error) => void;
  private startTimer: NodeJS.Timeout | undefined;

  constructor(private readonly options: CodeRunnerOptions) {
    this.processCount = options.processes ?? 2;
    this.threads = options.threads ?? 4;
    this.limits = { ...codeLimitDefaults, ...options.limits };
    const { queueMax = 1_000, tenantQueueMax = Math.ceil(queueMax / 2) } = options;
    const half = Math.max(1, Math.floor((this.processCount * this.threads) / 2));
    this.queue = new CallQueue(half, queueMax, tenantQueueMax);
    this.started = new Promise((resolve, reject) => {
      this.startDone = resolve;
      this.startFailed = reject;
    });
    // Whoever only calls `run` is told by the deadline of the queue.
    this.started.catch(() => {});
  }

  /** Starts the processes. Resolves when the first thread takes calls; rejects when none does in time. */
  start(): Promise<void> {
    if (this.state === 'new') {
      this.state = 'open';
      for (let i = 0; i < this.processCount; i++) this.spawn();
      this.startTimer = setTimeout(() => {
        this.startFailed(new Error(`no sandbox process became ready within ${startMs} ms`));
      }, startMs);
    }
    return this.started;
  }

  stats(): CodeRunnerStats {
    return {
      processes: this.processes.size,
      threads: this.processCount * this.threads,
      running: this.running.size,
      queued: this.queue.length,
      killed: this.killed,
    };
  }

  /** Runs one call. Rejects with the factory's error for `ctx.error`, and with any other for a fault of ours. */
  async run(run: CodeRun): Promise<ToolOutcome> {
    const { signal } = run.context;
    if (signal.aborted) return toolError(`Tool "${run.toolName}" was cancelled.`);
    const limits = { ...this.limits, ...run.limits };
    const { fetchBytes = 8 * MiB, protocolError } = this.options;
    const call = new CodeCall(++this.lastId, run, limits, fetchBytes, protocolError);
    const cancel = () => this.cancel(call);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await this.enqueue(call, call.outcome);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  /**
   * What keeps a source from being published: it does not parse, imports modules, or has no default export. Evaluates
   * nothing of it. Rejects when it could not be checked.
   */
  checkCodeSource(source: string, tenantId = ''): Promise<SourceFault | undefined> {
    const call = new CheckCall(++this.lastId, tenantId, source);
    return this.enqueue(call, call.fault);
  }

  /** Ends all calls and processes, within two seconds. */
  async close(): Promise<void> {
    this.state = 'closed';
    for (const timer of this.restarts) clearTimeout(timer);
    clearTimeout(this.startTimer);
    const gone = new Error('The server is shutting down');
    this.startFailed(gone);
    for (const call of this.queue.drain()) call.fail(gone);
    for (const call of this.running.values()) call.fail(gone);
    this.running.clear();
    await Promise.all(Array.from(this.processes, (process) => process.close()));
  }

  private async enqueue<R>(call: QueuedCall, result: Promise<R>): Promise<R> {
    if (this.state === 'closed') throw new Error('The server is shutting down');
    void this.start();
    if (!this.queue.push(call)) {
      call.refuse('too many calls are waiting for tenant code');
      return result;
    }
    this.pump();
    if (call.process) return result;
    const { queueWaitMs = 10_000 } = this.options;
    const timer = setTimeout(() => {
      if (this.queue.remove(call)) call.refuse(`no sandbox thread became free within ${queueWaitMs} ms`);
    }, queueWaitMs);
    try {
      return await result;
    } finally {
      clearTimeout(timer);
    }
  }

  private pump(): void {
    for (;;) {
      const process = this.freest();
      const call = process && this.queue.shift();
      if (!process || !call) return;
      this.dispatch(call, process);
    }
  }

  private freest(): SandboxProcess | undefined {
    let best: SandboxProcess | undefined;
    for (const process of this.processes) {
      if (process.free > (best?.free ?? 0)) best = process;
    }
    return best;
  }

  private dispatch(call: QueuedCall, process: SandboxProcess): void {
    call.process = process;
    process.free--;
    this.running.set(call.id, call);
    try {
      process.send(call.request());
    } catch (error) {
      // Arguments or state that are no JSON: nothing was sent, so the thread is still free.
      process.free++;
      this.settle(call, () => call.fail(error instanceof Error ? error : new Error(String(error))));
      return;
    }
    this.watchdog(call, call.holdMs, { how: 'limit', limit: 'wall' });
  }

  /** Kills the process of a call that is still there after `ms`; that call ends with `end`. */
  private watchdog(call: QueuedCall, ms: number, end: Parameters<QueuedCall['end']>[0]): void {
    const timer = setTimeout(() => {
      if (this.running.get(call.id) !== call) return;
      this.settle(call, () => call.end(end));
      call.process?.kill();
    }, ms);
    timer.unref();
    this.watchdogs.set(call.id, [...(this.watchdogs.get(call.id) ?? []), timer]);
  }

  private cancel(call: QueuedCall): void {
    if (this.queue.remove(call)) return call.end({ how: 'cancelled' });
    if (this.running.get(call.id) !== call) return;
    call.process?.send({ t: 'cancel', id: call.id });
    this.watchdog(call, cancelMs, { how: 'cancelled' });
  }

  /** Takes the call off the books, then ends it. */
  private settle(call: QueuedCall, end: () => void): void {
    this.running.delete(call.id);
    for (const timer of this.watchdogs.get(call.id) ?? []) clearTimeout(timer);
    this.watchdogs.delete(call.id);
    this.queue.release(call);
    end();
  }

  private spawn(): void {
    const process = new SandboxProcess({
      entry: this.options.entry ?? new URL('./sandbox/process.js', import.meta.url),
      threads: this.threads,
      memoryBytes: this.limits.memoryBytes,
      onMessage: (message, from) => this.received(message, from),
      onExit: (from) => this.lost(from),
    });
    this.processes.add(process);
  }

  private received(message: FromSandbox, from: SandboxProcess): void {
    if (message.t === 'slot') {
      from.free++;
      clearTimeout(this.startTimer);
      this.startDone();
      return this.pump();
    }
    if (message.t === 'end' && message.free) from.free++;
    const call = this.running.get(message.id);
    // A process speaks for its own calls only.
    if (call?.process === from) this.heard(message, call);
    if (message.t === 'end') this.pump();
  }

  private heard(message: Exclude<FromSandbox, { t: 'slot' }>, call: QueuedCall): void {
    if (message.t === 'end') this.settle(call, () => call.end(message.end));
    else if (!(call instanceof CodeCall)) return;
    else if (message.t === 'call') void call.hostCall(message);
    else if (!call.notes(message)) {
      this.settle(call, () => call.end({ how: 'threw', message: 'it sent a message that cannot be read' }));
      // The code still runs; a thread that outlives its cancel is terminated over there.
      call.process?.send({ t: 'cancel', id: call.id });
    }
  }

  private lost(process: SandboxProcess): void {
    this.processes.delete(process);
    if (this.state === 'closed') return;
    this.killed++;
    this.options.onProcessLost?.({ pid: process.pid, fate: process.fate });
    for (const call of [...this.running.values()]) {
      if (call.process !== process) continue;
      const error = new Error(`The sandbox process that ran "${call.toolName}" ended unexpectedly`);
      this.settle(call, () => call.fail(error));
    }
    const shortLived = performance.now() - process.spawnedAt < restartMs.shortLife;
    this.restartDelay = shortLived ? Math.min(restartMs.most, this.restartDelay * 2 || restartMs.first) : 0;
    const timer = setTimeout(() => {
      this.restarts.delete(timer);
      this.spawn();
    }, this.restartDelay);
    this.restarts.add(timer);
  }
}
