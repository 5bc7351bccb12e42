import type { CheckRequest, FromSandbox, RunEnd, RunRequest, ToSandbox } from './messages.js';
import { Placement } from './placement.js';
import { type Arrival, overdueEnd, type ThreadOwner, WatchedThread } from './watched-thread.js';

/** Parsing a source is no run and has limits of its own. */
const checkLimits = { cpuMs: 200, wallMs: 10_000 };
/** A call that lost this many threads before it could begin is not tried again. */
const threadsLostMax = 2;

export interface ThreadPoolOptions {
  readonly threads: number;
  readonly guestsPerThread: number;
  readonly start: (places: number, owner: ThreadOwner) => WatchedThread;
  readonly emit: (message: FromSandbox) => void;
}

/** The threads of a sandbox process, always as many as were asked for, and the calls that have no place on one yet. */
export class ThreadPool {
  /** In the order in which they were last given a call. */
  private threads: WatchedThread[] = [];
  private readonly retired = new Set<WatchedThread>();
  /** Calls that came while their place was being withdrawn; the server sends no more than there are places. */
  private waiting: Arrival[] = [];
  private readonly placement = new Placement();
  private readonly owner: ThreadOwner;

  constructor(private readonly options: ThreadPoolOptions) {
    this.owner = {
      emit: options.emit,
      room: () => this.placeWaiting(),
      retired: (thread, culprit) => this.succeed(thread, culprit),
      gone: (thread, unbegun) => this.forget(thread, unbegun),
    };
    for (let i = 0; i < options.threads; i++) this.threads.push(this.begin());
  }

  take(request: RunRequest | CheckRequest): void {
    const { cpuMs, wallMs } = request.t === 'run' ? request.limits : checkLimits;
    const { id, tenantId } = request;
    const since = performance.now();
    this.waiting.push({ id, tenantId, cpuMs, wallMs, since, request, cancelledAt: undefined, threadsLost: 0 });
    this.placeWaiting();
  }

  deliver(message: Exclude<ToSandbox, { t: 'run' | 'check' }>): void {
    const waiting = this.waiting.find(({ id }) => id === message.id);
    if (waiting && message.t === 'cancel') this.drop(waiting, { how: 'cancelled' });
    for (const thread of [...this.threads, ...this.retired]) {
      if (thread.has(message.id)) thread.deliver(message);
    }
  }

  watch(now: number): void {
    for (const thread of [...this.threads, ...this.retired]) thread.watch(now);
    for (const arrival of [...this.waiting]) {
      const end = overdueEnd(arrival, now);
      if (end) this.drop(arrival, end);
    }
  }

  private begin(): WatchedThread {
    return this.options.start(this.options.guestsPerThread, this.owner);
  }

  private placeWaiting(): void {
    this.waiting = this.waiting.filter((arrival) => {
      const thread = this.placement.choose(this.threads, arrival.tenantId);
      if (!thread) return true;
      this.threads = [...this.threads.filter((each) => each !== thread), thread];
      thread.take(arrival);
      return false;
    });
  }

  private drop(arrival: Arrival, end: RunEnd): void {
    this.waiting = this.waiting.filter((each) => each !== arrival);
    this.options.emit({ t: 'end', id: arrival.id, end });
  }

  private succeed(thread: WatchedThread, culprit: Arrival | undefined): void {
    if (culprit) this.placement.lost(culprit.tenantId);
    this.threads = this.threads.filter((each) => each !== thread);
    this.retired.add(thread);
    this.threads.push(this.begin());
  }

  private forget(thread: WatchedThread, unbegun: readonly Arrival[]): void {
    this.retired.delete(thread);
    for (const arrival of unbegun) {
      this.waiting.push(arrival);
      arrival.threadsLost++;
      if (arrival.cancelledAt !== undefined) this.drop(arrival, { how: 'cancelled' });
      else if (arrival.threadsLost > threadsLostMax) {
        this.drop(arrival, { how: 'crashed', detail: 'its thread was lost before it could begin' });
      }
    }
    this.placeWaiting();
  }
}
