import type { Call } from '@gantry/contracts';

/** A finished call as the hot path hands it over; everything else is added when it is written. */
export interface CallRecord extends Omit<Call, 'id' | 'at' | 'node'> {
  readonly tenantId: string;
  /** Milliseconds since the Unix epoch. */
  readonly finishedAt: number;
}

/** Writes a batch of calls; all or nothing. */
export type WriteCalls = (records: readonly CallRecord[]) => Promise<void>;

export interface CallLogOptions {
  readonly write: WriteCalls;
  /** Told how many records were given up, with the reason. */
  readonly onLoss: (count: number, reason: string) => void;
  readonly flushMs?: number;
  readonly bufferMax?: number;
  readonly batchMax?: number;
}

const FLUSH_MS = 250;
const BUFFER_MAX = 50_000;
const BATCH_MAX = 2_000;
const ATTEMPTS = 3;

/**
 * Accounting that never makes a call wait: `record` only pushes to a bounded buffer, and batches are written behind.
 * When the database stays away longer than the buffer lasts, the newest records are given up, counted and logged.
 */
export class CallLog {
  private buffer: CallRecord[] = [];
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;
  private lost = 0;
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
    return this.buffer.length;
  }

  record(record: CallRecord): void {
    if (this.buffer.length >= this.bufferMax) {
      this.lost += 1;
      return;
    }
    this.buffer.push(record);
    if (this.timer === undefined) this.timer = setTimeout(() => void this.flush(), this.flushMs).unref();
  }

  /** Writes what is there. Resolves when the buffer was empty once, or the database gave up. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writing ??= this.drain().finally(() => {
      this.writing = undefined;
    });
    return this.writing;
  }

  /** The last flush: what the database does not take now is told as lost, to the last record. */
  async close(): Promise<void> {
    do await this.flush();
    while (this.buffer.length > 0);
  }

  private async drain(): Promise<void> {
    this.reportLoss('the buffer was full');
    while (this.buffer.length > 0) {
      const batch = this.buffer.splice(0, this.batchMax);
      if (!(await this.tryWrite(batch))) return;
    }
  }

  private async tryWrite(batch: readonly CallRecord[]): Promise<boolean> {
    let reason = '';
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      try {
        await this.options.write(batch);
        return true;
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error);
      }
    }
    this.options.onLoss(batch.length, reason);
    return false;
  }

  private reportLoss(reason: string): void {
    if (this.lost === 0) return;
    this.options.onLoss(this.lost, reason);
    this.lost = 0;
  }
}
