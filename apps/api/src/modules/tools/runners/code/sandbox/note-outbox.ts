import type { CodeLimits, NoteKind, Notes } from './messages.js';

/** Notes wait for each other at most this long or this many, so that a burst is not a message each. */
const batchMs = 5;
const batchSize = 32;

/** The notes of one run on their way out, in order and within the limits of the run. */
export class NoteOutbox {
  private messages = 0;
  private messageBytes = 0;
  private consoleBytes = 0;
  private batch: [NoteKind, string][] = [];
  private batchAt = 0;

  constructor(
    private readonly limits: CodeLimits,
    private readonly send: (notes: Notes['notes']) => void,
  ) {}

  /** False when it is one too many: it is not sent then. Console lines are cut instead, and said to be. */
  add(kind: NoteKind, json: string): boolean {
    const { limits } = this;
    const bytes = Buffer.byteLength(json);
    if (kind === 'console') {
      if (this.consoleBytes > limits.consoleBytes) return true;
      this.consoleBytes += bytes;
      const cut = this.consoleBytes > limits.consoleBytes;
      const words = `console output is cut at ${limits.consoleBytes} bytes`;
      this.queue(kind, cut ? JSON.stringify(['warning', words]) : json);
      return true;
    }
    this.messageBytes += bytes;
    if (++this.messages > limits.messages || this.messageBytes > limits.messageBytes) return false;
    this.queue(kind, json);
    // The connection is closed now and not when the batch is full.
    if (kind === 'closeStream') this.flush();
    return true;
  }

  flush(): void {
    if (this.batch.length === 0) return;
    const notes = this.batch;
    this.batch = [];
    this.send(notes);
  }

  private queue(kind: NoteKind, json: string): void {
    const now = performance.now();
    if (this.batch.length === 0) this.batchAt = now;
    this.batch.push([kind, json]);
    if (this.batch.length >= batchSize || now - this.batchAt >= batchMs) this.flush();
  }
}
