import { EvalFlags, JSException } from 'quickjs-wasi';
import { GuestClock } from './guest-clock.js';
import type { Instance } from './instances.js';
import type { CodeLimits, HostCall, NoteKind, Notes, RunEnd, RunRequest } from './messages.js';
import { NoteOutbox } from './note-outbox.js';
import { RoundOutput } from './round-output.js';
import { placeOf, readEnd } from './run-end.js';

/** How long code may still run after its signal was aborted, to close what it holds. */
const graceMs = 100;

/** What a run needs of its thread. */
export interface RunChannel {
  send(message: Notes | HostCall): void;
  /** Has `entry` run when it is its tenant's turn; an urgent one goes before the tenant's others. */
  due(entry: () => void | Promise<void>, urgent?: boolean): void;
  /** A fresh instance, asked for when the call begins. */
  instance(): Instance | Promise<Instance>;
  /** Told when tenant code begins and ends to compute, and now and then in between. */
  entered(): void;
  alive(): void;
  left(): void;
  cancelled(): boolean;
  /** Told how much memory the instance held that is given up now. */
  released(bytes: number): void;
}

/**
 * One call of tenant code in an instance of its own. Ends exactly once: when the function has settled, when a limit
 * is reached, when the code can only wait for answers to its questions, or shortly after a cancel. Whatever the code
 * left behind ends with it. Between its turns it is only timers and a place in memory.
 */
export class GuestRun {
  readonly ended: Promise<RunEnd>;
  private resolveEnd!: (end: RunEnd) => void;
  private end: RunEnd | undefined;
  /** Why the code must stop; whatever it still answers does not count. */
  private stop: RunEnd | undefined;
  private instance: Instance | undefined;
  private readonly id: number;
  private readonly limits: CodeLimits;
  private readonly clock: GuestClock;
  private readonly deadline: number;
  private readonly timers = new Set<NodeJS.Timeout>();
  private pendingCalls = 0;
  private readonly notes: NoteOutbox;
  private readonly output: RoundOutput;
  private computing = false;

  constructor(
    request: RunRequest,
    private readonly channel: RunChannel,
  ) {
    this.ended = new Promise((resolve) => {
      this.resolveEnd = resolve;
    });
    this.id = request.id;
    this.limits = request.limits;
    this.clock = new GuestClock(request.limits.cpuMs);
    this.notes = new NoteOutbox(request.limits, (notes) => channel.send({ t: 'notes', id: this.id, notes }));
    this.output = new RoundOutput(request.limits.outputBytes);
    this.deadline = performance.now() + request.limits.wallMs;
    this.after(request.limits.wallMs, () => this.abort({ how: 'limit', limit: 'wall' }));
    // The request is held by this entry alone, so that its texts can be freed while the call waits.
    channel.due(() => this.begin(request));
  }

  private async begin({ source, argumentsJson, contextJson }: RunRequest): Promise<void> {
    if (this.end) return;
    if (this.channel.cancelled()) return this.finish({ how: 'cancelled' });
    let instance: Instance;
    try {
      instance = await this.channel.instance();
    } catch (error) {
      return this.finish({ how: 'crashed', detail: `no instance could be made: ${String(error)}` });
    }
    if (this.end) return instance.vm.dispose();
    this.instance = instance;
    instance.interrupted = () => this.mustStop();
    instance.host = {
      note: (kind, json) => this.note(kind as NoteKind, json),
      request: (call, json) =>
        this.hostCall(() => this.channel.send({ t: 'call', id: this.id, call, requestJson: json })),
      sleep: (call, ms) => this.hostCall(() => this.after(ms, () => this.settle(call, true, 'null'))),
      ask: (key, json) => this.output.ask(key, json),
      keep: (key, json) => this.output.keep(key, json),
      end: (json, result, state) => this.functionEnded(json, result, state),
    };
    this.compute(({ vm, start }) => {
      const module = vm.evalCode(source, 'tool.js', EvalFlags.TYPE_MODULE);
      vm.callFunction(start, vm.undefined, module, vm.newString(argumentsJson), vm.newString(contextJson));
    });
  }

  /** The host's answer to a call; one that comes after the end is ignored. */
  settle(call: number, ok: boolean, valueJson: string): void {
    if (this.end) return;
    this.channel.due(() => {
      this.pendingCalls--;
      this.compute(({ vm, settle }) => {
        vm.callFunction(settle, vm.undefined, vm.newNumber(call), ok ? vm.true : vm.false, vm.newString(valueJson));
      });
    });
  }

  /** Aborts `ctx.signal`; the run ends with `end`, at the latest after a short grace. */
  abort(end: RunEnd): void {
    if (this.end || this.stop) return;
    if (!this.instance) return this.finish(end);
    this.stop = end;
    this.after(graceMs, () => this.finish(end));
    const [name, message] = end.how === 'limit' ? ['TimeoutError', 'time limit reached'] : ['AbortError', 'cancelled'];
    const tell = () =>
      this.compute(({ vm, abort }) => {
        vm.callFunction(abort, vm.undefined, vm.newString(name), vm.newString(message));
      });
    this.channel.due(tell, true);
  }

  private compute(work: (instance: Instance) => void): void {
    const { instance } = this;
    if (!instance || this.end) return;
    this.channel.entered();
    this.clock.enter();
    this.computing = true;
    try {
      work(instance);
      instance.vm.executePendingJobs();
      this.waitForAnswers();
    } catch (error) {
      // An interrupt after the function settled stops what it left behind: the answer stands.
      if (!this.end) this.finish(this.stop ?? this.faultOf(error));
    } finally {
      this.computing = false;
      this.clock.leave();
      this.channel.left();
    }
    if (this.end) this.release();
    else this.notes.flush();
  }

  /** Nothing can happen to code that waits for answers alone: the run ends, and what it holds is free. */
  private waitForAnswers(): void {
    if (this.end || this.stop || this.pendingCalls > 0 || !this.output.asks) return;
    this.finish(this.output.waits());
  }

  private release(): void {
    if (!this.instance) return;
    this.instance.host = undefined;
    this.channel.released(this.instance.vm.getAllocatedSize());
    this.instance.vm.dispose();
    this.instance = undefined;
  }

  private mustStop(): boolean {
    this.channel.alive();
    if (this.end) return true;
    // While the code closes what it holds, its CPU budget still counts, but what stopped it first is what is said.
    if (this.clock.exhausted()) this.stop ??= { how: 'limit', limit: 'cpu' };
    else if (!this.stop && this.channel.cancelled()) this.stop = { how: 'cancelled' };
    else if (!this.stop && performance.now() > this.deadline) this.stop = { how: 'limit', limit: 'wall' };
    else return false;
    return true;
  }

  private functionEnded(json: string, resultJson: string | undefined, stateJson: string | undefined): void {
    if (this.end) return;
    if (this.stop) return this.finish(this.stop);
    const bytes = Buffer.byteLength(json) + Buffer.byteLength(resultJson ?? '') + Buffer.byteLength(stateJson ?? '');
    if (bytes > this.limits.outputBytes) return this.finish({ how: 'limit', limit: 'output' });
    for (const key of this.output.waiting) {
      const words = `the question ${JSON.stringify(key)} was not asked: the function ended without its answer`;
      this.notes.add('console', JSON.stringify(['warning', words]));
    }
    const asked = (requestsJson: string, requestStateJson: string | undefined): RunEnd =>
      this.output.returned(requestsJson, requestStateJson) ?? { how: 'limit', limit: 'output' };
    this.finish(readEnd(json, resultJson, stateJson, asked));
  }

  private hostCall(begin: () => void): void {
    if (this.end) return;
    if (++this.pendingCalls > this.limits.pendingCalls) return this.finish({ how: 'limit', limit: 'pendingCalls' });
    this.notes.flush();
    begin();
  }

  private note(kind: NoteKind, json: string): void {
    if (!this.end && !this.notes.add(kind, json)) this.finish({ how: 'limit', limit: 'messages' });
  }

  private finish(end: RunEnd): void {
    if (this.end) return;
    this.end = end;
    this.notes.flush();
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
    this.resolveEnd(end);
    // From a timer no code is on the stack. From within the code, `compute` releases the instance on its way out.
    if (!this.computing) this.release();
  }

  private after(ms: number, action: () => void): void {
    const timer = setTimeout(
      () => {
        this.timers.delete(timer);
        if (!this.end) action();
      },
      Math.min(ms, 2_147_483_647),
    );
    this.timers.add(timer);
  }

  private faultOf(error: unknown): RunEnd {
    if (!(error instanceof JSException)) {
      const trap = error instanceof RangeError || error instanceof WebAssembly.RuntimeError;
      return trap ? { how: 'threw', message: 'Maximum call stack size exceeded' } : { how: 'limit', limit: 'memory' };
    }
    if (error.name === 'InternalError' && error.message === 'out of memory') return { how: 'limit', limit: 'memory' };
    return { how: 'threw', message: `${error.name}: ${error.message}`, ...placeOf(error) };
  }
}
