import type { InputNeeded, PromptOutcome, ResourceOutcome, ToolOutcome } from '@gantry/mcp-core';
import { CallQueue } from './call-queue.js';
import { CheckCall } from './check-call.js';
import { CodeCall, type SourceRun } from './code-call.js';
import {
  type CodeRunnerOptions,
  type CodeRunnerStats,
  codeLimitDefaults,
  defaultGuestMemory,
} from './code-runner-options.js';
import type { QueuedCall } from './queued-call.js';
import type { AskedResource } from './resource-outcome.js';
import { promptKind, type RunKind, resourceKind, toolKind } from './run-kinds.js';
import type { CodeLimits, FromSandbox, RunEnd, SourceFault } from './sandbox/messages.js';
import { SandboxPool } from './sandbox-pool.js';
import type { SandboxProcess } from './sandbox-process.js';

/** What a process says of one of its calls. */
type FromGuest = Exclude<FromSandbox, { t: 'places' }>;

/** The largest response that `ctx.fetch` takes by default. */
const fetchBytesDefault = 8 * 1024 * 1024;
/** A call that was cancelled ends after this time, and a process that is not heard of for some more is killed. */
const cancelMs = { call: 900, process: 600 };

/** One call of a code tool. */
export interface CodeRun extends SourceRun {
  readonly toolName: string;
}

/** One making of a prompt's messages by its function. */
export interface PromptCodeRun extends SourceRun {
  readonly promptName: string;
}

/** One reading of a resource by its function, which is given the variables of its template, if any, as arguments. */
export interface ResourceCodeRun extends SourceRun {
  readonly resource: AskedResource;
}

/**
 * Runs tenant-written JavaScript in a pool of child processes that have no environment and no secrets. Every call gets
 * an instance of its own, in a place that it holds to its end; a thread has many of them and runs the code of one at a
 * time. What a tool's code does wrong, limits included, is an outcome with `isError`; of prompts and resources it rejects
 * with `RunFailure`. What goes wrong on our side rejects with any other error.
 * The calls of one tenant hold at most half of the places and of the memory for calls.
 */
export class CodeRunner {
  private readonly pool: SandboxPool;
  private readonly running = new Map<number, QueuedCall>();
  private readonly queue: CallQueue<QueuedCall>;
  private readonly limits: CodeLimits;
  private readonly processCount: number;
  private readonly threads: number;
  private readonly places: number;
  private readonly watchdogs = new Map<number, NodeJS.Timeout[]>();
  private lastId = 0;
  private killed = 0;
  private closed = false;

  constructor(private readonly options: CodeRunnerOptions) {
    this.processCount = options.processes ?? 2;
    this.threads = options.threads ?? 4;
    this.limits = { ...codeLimitDefaults, ...options.limits };
    const { queueMax = 1_000, tenantQueueMax = Math.ceil(queueMax / 2), guestsPerThread = 16 } = options;
    this.places = this.processCount * this.threads * guestsPerThread;
    const most = { places: this.places, bytes: options.guestMemoryBytes ?? defaultGuestMemory() };
    this.queue = new CallQueue(most, queueMax, tenantQueueMax);
    this.pool = new SandboxPool({
      entry: options.entry ?? new URL('./sandbox/process.js', import.meta.url),
      processes: this.processCount,
      threads: this.threads,
      guestsPerThread,
      memoryBytes: this.limits.memoryBytes,
      onPlaces: () => this.pump(),
      onMessage: (message, from) => this.received(message, from),
      onLost: (process) => this.lost(process),
    });
  }

  /** Starts the processes. Resolves when the first thread takes calls; rejects when none does in time. */
  start(): Promise<void> {
    return this.pool.start();
  }

  stats(): CodeRunnerStats {
    return {
      processes: this.pool.size,
      threads: this.processCount * this.threads,
      places: this.places,
      guests: this.pool.guests,
      running: this.running.size,
      queued: this.queue.length,
      killed: this.killed,
    };
  }

  /**
   * Runs one call. Rejects with the factory's error for `ctx.error`, and with any other for a fault of ours. A run that
   * asks has ended, and holds nothing, before `InputNeeded` is given.
   */
  run(run: CodeRun): Promise<ToolOutcome | InputNeeded> {
    return this.execute(run, toolKind(run.toolName));
  }

  /** Likewise for a prompt; what its code does wrong rejects with `RunFailure`. */
  runPrompt(run: PromptCodeRun): Promise<PromptOutcome | InputNeeded> {
    return this.execute(run, promptKind(run.promptName));
  }

  /** Likewise for a resource, or for a URI of a resource template. */
  runResource(run: ResourceCodeRun): Promise<ResourceOutcome | InputNeeded> {
    return this.execute(run, resourceKind(run.resource));
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
    this.closed = true;
    const gone = new Error('The server is shutting down');
    for (const call of this.queue.drain()) call.fail(gone);
    for (const call of this.running.values()) call.fail(gone);
    this.running.clear();
    await this.pool.close(gone);
  }

  private async execute<T>(run: SourceRun, kind: RunKind<T>): Promise<T | InputNeeded> {
    const { signal } = run.context;
    if (signal.aborted) return kind.failed(`${kind.subject} was cancelled.`);
    const { fetchBytes: maxBodyBytes = fetchBytesDefault, protocolError } = this.options;
    const limits = { ...this.limits, ...run.limits };
    const call = new CodeCall(++this.lastId, run, kind, { limits, maxBodyBytes, protocolError });
    const cancel = () => this.cancel(call);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await this.enqueue(call, call.outcome);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  private async enqueue<R>(call: QueuedCall, result: Promise<R>): Promise<R> {
    if (this.closed) throw new Error('The server is shutting down');
    void this.pool.start();
    if (!this.queue.push(call)) {
      call.refuse('too many calls are waiting for tenant code');
      return result;
    }
    this.pump();
    if (call.process) return result;
    const { queueWaitMs = 10_000 } = this.options;
    const timer = setTimeout(() => {
      if (this.queue.remove(call)) call.refuse(`no sandbox place became free within ${queueWaitMs} ms`);
    }, queueWaitMs);
    try {
      return await result;
    } finally {
      clearTimeout(timer);
    }
  }

  private pump(): void {
    for (;;) {
      const process = this.pool.freest();
      const call = process && this.queue.shift();
      if (!process || !call) return;
      this.dispatch(call, process);
    }
  }

  private dispatch(call: QueuedCall, process: SandboxProcess): void {
    call.process = process;
    process.guests++;
    this.running.set(call.id, call);
    try {
      process.send(call.request());
    } catch (error) {
      // Arguments or state that are no JSON: nothing was sent, so the place is still free.
      process.guests--;
      this.settle(call, () => call.fail(error instanceof Error ? error : new Error(String(error))));
      return;
    }
    this.watchdog(call, call.holdMs, { how: 'limit', limit: 'wall' }, (process) => process.kill());
  }

  /** Ends a call that is still there after `ms` with `end`, and sees to its process. */
  private watchdog(call: QueuedCall, ms: number, end: RunEnd, judge: (process: SandboxProcess) => void): void {
    const timer = setTimeout(() => {
      if (this.running.get(call.id) !== call) return;
      this.settle(call, () => call.end(end));
      if (call.process) judge(call.process);
    }, ms);
    timer.unref();
    this.watchdogs.set(call.id, [...(this.watchdogs.get(call.id) ?? []), timer]);
  }

  private cancel(call: QueuedCall): void {
    if (this.queue.remove(call)) return call.end({ how: 'cancelled' });
    if (this.running.get(call.id) !== call) return;
    call.process?.send({ t: 'cancel', id: call.id });
    this.watchdog(call, cancelMs.call, { how: 'cancelled' }, (process) => process.suspect(cancelMs.process));
  }

  /** Takes the call off the books, then ends it. */
  private settle(call: QueuedCall, end: () => void): void {
    this.running.delete(call.id);
    for (const timer of this.watchdogs.get(call.id) ?? []) clearTimeout(timer);
    this.watchdogs.delete(call.id);
    this.queue.release(call);
    end();
  }

  private received(message: FromGuest, from: SandboxProcess): void {
    if (message.t === 'end') from.guests--;
    const call = this.running.get(message.id);
    // A process speaks for its own calls only.
    if (call?.process === from) this.heard(message, call);
    if (message.t === 'end') this.pump();
  }

  private heard(message: FromGuest, call: QueuedCall): void {
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
    this.killed++;
    this.options.onProcessLost?.({ pid: process.pid, fate: process.fate });
    for (const call of [...this.running.values()]) {
      if (call.process !== process) continue;
      const error = new Error(`The sandbox process that ran ${call.label} ended unexpectedly`);
      this.settle(call, () => call.fail(error));
    }
  }
}
