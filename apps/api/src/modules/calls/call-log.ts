import { randomUUID } from 'node:crypto';
import type { Call } from '@gantry/contracts';

/** A finished call as the hot path hands it over; everything else is added when it is written. */
export interface CallRecord extends Omit<Call, 'id' | 'at' | 'node'> {
  readonly tenantId: string;
  /** Milliseconds since the Unix epoch. */
  readonly finishedAt: number;
}

/** A call on its way to the database, under the name it will have there. */
export interface LoggedCall extends CallRecord {
  readonly id: string;
}

/** Writes a batch of calls, all or nothing. A batch that was written already, its answer lost, may come once more. */
export type WriteCalls = (calls: readonly LoggedCall[]) => Promise<void>;

export interface CallLogOptions {
  readonly write: WriteCalls;
  /** Told how many records were given up, with the reason. */
  readonly onLoss: (count: number, reason: string) => void;
  /** Told once when writing begins to fail; what waits is tried again. */
  readonly onDelay?: (error: unknown) => void;
  readonly flushMs?: number;
  readonly bufferMax?: number;
  readonly batchMax?: number;
}

const FLUSH_MS = 250;
const BUFFER_MAX = 50_000;
const BATCH_MAX = 2_000;
const RETRY_MAX_MS = 5_000;

/**
 * Accounting that never makes a call wait: `record` only pushes to a bounded buffer, and batches are written behind.
 * While the database is away what is there waits, and is tried again ever more slowly; when that lasts longer than the
 * buffer, the newest records are given up, counted and told.
 */
export class CallLog {
  private buffer: CallRecord[] = [];
  /** The batch that is being written, or waits to be tried again. */
  private batch: readonly LoggedCall[] = [];
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<boolean> | undefined;
  private lost = 0;
  private failures = 0;
  private readonly bufferMax: number;
  private readonly batchMax: number;
  private readonly flushMs: number;

  constructor(private readonly options: CallLogOptions) {
    this.bufferMax = options.bufferMax ?? BUFFER_MAX;
    this.batchMax = options.batchMax ?? BATCH_MAX;
    this.flushMs = options.flushMs ?? FLUSH_MS;
  }

  /** Records waiting to be written; the queue's metric. */
  get depth(): number {
    return this.buffer.length + this.batch.length;
  }

  record(record: CallRecord): void {
    if (this.depth >= this.bufferMax) {
      this.lost += 1;
      return;
    }
    this.buffer.push(record);
    this.schedule(this.flushMs);
  }

  /** Writes what is there. False when the database did not take it; then it waits for the next try. */
  flush(): Promise<boolean> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writing ??= this.drain().finally(() => {
      this.writing = undefined;
    });
    return this.writing;
  }

  /** The last flush: what the database does not take now is told as lost, to the last record. */
  async close(): Promise<void> {
    await this.writing;
    const written = await this.flush();
    clearTimeout(this.timer);
    if (written) return;
    this.lost += this.depth;
    this.buffer = [];
    this.batch = [];
    this.reportLoss('the database did not take them before the end');
  }

  private async drain(): Promise<boolean> {
    this.reportLoss('the buffer was full');
    while (this.depth > 0) {
      if (this.batch.length === 0) {
        this.batch = this.buffer.splice(0, this.batchMax).map((record) => ({ id: randomUUID(), ...record }));
      }
      if (!(await this.tryWrite())) return false;
    }
    return true;
  }

  private async tryWrite(): Promise<boolean> {
    try {
      await this.options.write(this.batch);
      this.batch = [];
      this.failures = 0;
      return true;
    } catch (error) {
      if (this.failures === 0) this.options.onDelay?.(error);
      this.failures += 1;
      this.schedule(Math.min(this.flushMs * 2 ** this.failures, RETRY_MAX_MS));
      return false;
    }
  }

  private schedule(ms: number): void {
    this.timer ??= setTimeout(() => void this.flush(), ms).unref();
  }

  private reportLoss(reason: string): void {
    if (this.lost === 0) return;
    this.options.onLoss(this.lost, reason);
    this.lost = 0;
  }
}
