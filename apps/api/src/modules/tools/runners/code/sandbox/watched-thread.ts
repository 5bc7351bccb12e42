import { Worker } from 'node:worker_threads';
import { cpuMsOfThread } from './guest-clock.js';
import {
  type CheckRequest,
  cellCount,
  type Entrusted,
  type FromSandbox,
  placeCell,
  type RunEnd,
  type RunRequest,
  type ThreadSettings,
  type ToSandbox,
  threadCell,
} from './messages.js';
import type { Candidate } from './placement.js';

/** Beyond its own limits a call has this long to end before it is ended from here. */
export const overdueMs = 400;
/**
 * Code that computes this long beyond its budget without reaching an interrupt is inside one native operation: by the
 * thread's CPU time, or, where that is not known, by the clock.
 */
const stuckMs = { cpu: 100, clock: 800 };
/** A thread whose code has computed for this long without a pause is not given more while others are free. */
const longMs = 20;
/** A terminated thread that does not even end in this time is no longer waited for. */
const exitMs = 1_000;

/** A call on its way through the process. */
export interface Arrival {
  readonly id: number;
  readonly tenantId: string;
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly since: number;
  /** Needed until the call has begun. */
  request: RunRequest | CheckRequest | undefined;
  cancelledAt: number | undefined;
  /** Threads that were lost while the call waited on them. */
  threadsLost: number;
}

interface Guest {
  readonly arrival: Arrival;
  readonly place: number;
  /** When its end was told from here; the thread still has it. */
  toldAt: number | undefined;
}

/** Whom a thread tells of itself. */
export interface ThreadOwner {
  emit(message: FromSandbox): void;
  /** A place can be used that could not before. */
  room(): void;
  /** The thread takes no more calls; `culprit` is whose code cost it. */
  retired(thread: WatchedThread, culprit: Arrival | undefined): void;
  /** It is gone, and so are all its calls but these, which had not begun. */
  gone(thread: WatchedThread, unbegun: readonly Arrival[]): void;
}

/** One worker thread and the calls on it, with the means to end what does not end by itself. */
export class WatchedThread implements Candidate {
  readonly tenants = new Map<string, number>();
  private readonly worker: Worker;
  private readonly cells: Int32Array;
  private readonly guestsById = new Map<number, Guest>();
  private readonly free: number[];
  private state: 'starting' | 'ready' | 'retired' | 'gone' = 'starting';
  private retiredAt = 0;
  private beat = { count: -1, at: 0, cpu: undefined as number | undefined };

  constructor(
    module: WebAssembly.Module,
    memoryBytes: number,
    private readonly places: number,
    private readonly owner: ThreadOwner,
  ) {
    const shared = new SharedArrayBuffer(cellCount(places) * Int32Array.BYTES_PER_ELEMENT);
    this.cells = new Int32Array(shared);
    this.free = Array.from({ length: places }, (_, place) => place);
    this.worker = new Worker(new URL('./thread.js', import.meta.url), {
      workerData: { module, shared, memoryBytes } satisfies ThreadSettings,
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
    });
    this.worker.on('message', (message: FromSandbox | { t: 'ready' }) => this.received(message));
    this.worker.on('error', (error: NodeJS.ErrnoException) => {
      const memory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      this.retire(memory ? { how: 'limit', limit: 'memory' } : { how: 'crashed', detail: error.message });
    });
    this.worker.on('exit', () => {
      this.retire({ how: 'crashed', detail: 'the sandbox thread ended' });
      this.leave();
    });
  }

  get freePlaces(): number {
    return this.state === 'ready' ? this.free.length : 0;
  }

  get guests(): number {
    return this.guestsById.size;
  }

  get busy(): boolean {
    if (Atomics.load(this.cells, threadCell.due) > 1) return true;
    const long = ((Date.now() | 0) - Atomics.load(this.cells, threadCell.enteredAt)) | 0;
    return Atomics.load(this.cells, threadCell.inGuest) !== 0 && long >= longMs;
  }

  has(id: number): boolean {
    return this.guestsById.has(id);
  }

  /** Gives it one more call; there must be a free place. */
  take(arrival: Arrival): void {
    const place = this.free.shift();
    const { id, tenantId, request } = arrival;
    if (place === undefined || !request) throw new Error('the call cannot be placed on this thread');
    this.guestsById.set(id, { arrival, place, toldAt: undefined });
    this.tenants.set(tenantId, (this.tenants.get(tenantId) ?? 0) + 1);
    Atomics.store(this.cells, placeCell(place).cancelled, 0);
    Atomics.store(this.cells, placeCell(place).begun, 0);
    const wallMs = Math.max(1, arrival.wallMs - (performance.now() - arrival.since));
    const entrusted: Entrusted =
      request.t === 'run' ? { ...request, limits: { ...request.limits, wallMs }, place } : { ...request, place };
    this.worker.postMessage(entrusted);
  }

  deliver(message: Exclude<ToSandbox, { t: 'run' | 'check' }>): void {
    const guest = this.guestsById.get(message.id);
    if (!guest) return;
    if (message.t === 'cancel') {
      guest.arrival.cancelledAt ??= performance.now();
      Atomics.store(this.cells, placeCell(guest.place).cancelled, 1);
    }
    this.worker.postMessage(message);
  }

  /** Called a few times a second: ends the calls that do not end by themselves. */
  watch(now: number): void {
    if (this.state === 'retired' && now - this.retiredAt > exitMs) return this.leave();
    if (this.state !== 'ready') return;
    const inside = Atomics.load(this.cells, threadCell.inGuest) - 1;
    for (const guest of [...this.guestsById.values()]) {
      if (Atomics.load(this.cells, placeCell(guest.place).begun) === 1) guest.arrival.request = undefined;
      const end = overdueEnd(guest.arrival, now);
      if (!end) continue;
      // Only code that computes costs the thread; what waits for its turn has its end told, and ends over there later.
      const late = guest.toldAt === undefined || now - guest.toldAt > overdueMs;
      if (guest.place === inside && late) return this.retire(end, guest);
      this.tell(guest, end);
    }
    const current = [...this.guestsById.values()].find((guest) => guest.place === inside);
    if (this.stuck(now, current)) this.retire({ how: 'limit', limit: 'cpu' }, current);
  }

  private stuck(now: number, current: Guest | undefined): boolean {
    const count = Atomics.load(this.cells, threadCell.heartbeat);
    const cpu = current && cpuMsOfThread(Atomics.load(this.cells, threadCell.threadId));
    if (!current || count !== this.beat.count) {
      this.beat = { count: current ? count : -1, at: now, cpu };
      return false;
    }
    const { cpuMs } = current.arrival;
    if (cpu === undefined || this.beat.cpu === undefined) return now - this.beat.at > cpuMs + stuckMs.clock;
    return cpu - this.beat.cpu > cpuMs + stuckMs.cpu;
  }

  private received(message: FromSandbox | { t: 'ready' }): void {
    if (message.t === 'ready') {
      if (this.state !== 'starting') return;
      this.state = 'ready';
      this.owner.emit({ t: 'places', change: this.places });
      return this.owner.room();
    }
    if (message.t === 'places') return;
    const guest = this.guestsById.get(message.id);
    if (!guest) return;
    if (message.t === 'end') this.remove(guest);
    if (guest.toldAt === undefined) this.owner.emit(message);
    else if (message.t === 'end' && this.state === 'ready') this.owner.emit({ t: 'places', change: 1 });
    if (message.t === 'end' && this.state === 'ready') this.owner.room();
  }

  /** Ends the call for whoever made it; its place is used again only when the thread has ended it too. */
  private tell(guest: Guest, end: RunEnd): void {
    if (guest.toldAt !== undefined) return;
    guest.toldAt = performance.now();
    this.owner.emit({ t: 'end', id: guest.arrival.id, end });
    if (this.state === 'ready') this.owner.emit({ t: 'places', change: -1 });
  }

  private remove({ arrival, place }: Guest): void {
    this.guestsById.delete(arrival.id);
    this.free.push(place);
    const left = (this.tenants.get(arrival.tenantId) ?? 0) - 1;
    if (left > 0) this.tenants.set(arrival.tenantId, left);
    else this.tenants.delete(arrival.tenantId);
  }

  /** Takes no more calls and is terminated; `end` is that of the call whose code computes on it, if one does. */
  private retire(end: RunEnd, culprit = this.inside()): void {
    if (this.state !== 'ready' && this.state !== 'starting') return;
    // A thread that cannot even start would be started for ever: the process ends and is judged by its parent.
    if (this.state === 'starting') throw new Error(`a sandbox thread did not start: ${JSON.stringify(end)}`);
    const withheld = [...this.guestsById.values()].filter((guest) => guest.toldAt !== undefined).length;
    this.state = 'retired';
    this.retiredAt = performance.now();
    this.owner.emit({ t: 'places', change: withheld - this.places });
    if (culprit) this.tell(culprit, end);
    void this.worker.terminate();
    this.owner.retired(this, culprit?.arrival);
  }

  private inside(): Guest | undefined {
    const place = Atomics.load(this.cells, threadCell.inGuest) - 1;
    return [...this.guestsById.values()].find((guest) => guest.place === place);
  }

  /** All that the thread had sent has been heard: what it still holds did not end. */
  private leave(): void {
    if (this.state !== 'retired') return;
    this.state = 'gone';
    const unbegun: Arrival[] = [];
    for (const guest of this.guestsById.values()) {
      if (guest.toldAt !== undefined) continue;
      const { arrival, place } = guest;
      if (arrival.request && Atomics.load(this.cells, placeCell(place).begun) === 0) unbegun.push(arrival);
      else this.tell(guest, { how: 'crashed', detail: 'its thread was lost to another call' });
    }
    this.guestsById.clear();
    this.owner.gone(this, unbegun);
  }
}

/** The end of a call that should have ended some time ago. */
export function overdueEnd({ cancelledAt, since, wallMs }: Arrival, now: number): RunEnd | undefined {
  if (cancelledAt !== undefined && now - cancelledAt > overdueMs) return { how: 'cancelled' };
  if (now - since > wallMs + overdueMs) return { how: 'limit', limit: 'wall' };
  return undefined;
}
