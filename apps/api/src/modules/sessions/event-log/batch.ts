import type { Operation } from './operations.js';

/** One script does at most so much: Redis serves nobody else meanwhile. */
const BATCH_OPERATIONS = 256;
const BATCH_BYTES = 1024 * 1024;

/** Takes from a queue what goes into one write: at least one operation, and at most one that reads. */
export function takeBatch(queue: Operation[]): Operation[] {
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
