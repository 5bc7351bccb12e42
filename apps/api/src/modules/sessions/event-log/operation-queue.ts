import type { Operation } from './operations.js';

/** One script does at most so much: Redis serves nobody else meanwhile. */
const BATCH_OPERATIONS = 256;
const BATCH_BYTES = 1024 * 1024;
/** What may wait for Redis on one stream; one larger event is taken when nothing waits before it. */
const QUEUE_BYTES = 4 * 1024 * 1024;

/** More than this waits for Redis on one stream, or on all of this node. */
export class LogFullError extends Error {}

/** What is wanted of one stream, in order; what is under way takes its room until it is done. */
export class OperationQueue {
  readonly #operations: Operation[] = [];
  #bytes = 0;

  /** @param room what all queues share */
  constructor(private readonly room: { reserve(bytes: number): boolean; release(bytes: number): void }) {}

  get empty(): boolean {
    return this.#operations.length === 0;
  }

  /** @throws LogFullError when too much waits already */
  add(operation: Operation): void {
    const { bytes } = operation;
    if (this.#bytes > 0 && this.#bytes + bytes > QUEUE_BYTES) throw new LogFullError('too much waits for this stream');
    if (!this.room.reserve(bytes)) throw new LogFullError('too much waits for the event log');
    this.#bytes += bytes;
    this.#operations.push(operation);
  }

  /** What goes into the next write. */
  take(): Operation[] {
    return takeBatch(this.#operations);
  }

  done(batch: readonly Operation[]): void {
    const bytes = batch.reduce((sum, operation) => sum + operation.bytes, 0);
    this.#bytes -= bytes;
    this.room.release(bytes);
  }
}

/** Takes from a queue what goes into one write: at least one operation, and at most one that reads. */
function takeBatch(queue: Operation[]): Operation[] {
  let [count, bytes, reads] = [0, 0, 0];
  for (const operation of queue) {
    const alone = operation.kind === 'settle';
    const reading = operation.kind === 'read' || operation.kind === 'follow';
    const full = count >= BATCH_OPERATIONS || bytes + operation.bytes > BATCH_BYTES;
    if (count > 0 && (full || alone || (reading && reads > 0))) break;
    count++;
    bytes += operation.bytes;
    if (reading) reads++;
    if (alone) break;
  }
  return queue.splice(0, count);
}
