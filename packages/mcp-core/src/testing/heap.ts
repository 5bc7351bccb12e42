import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | undefined;

/**
 * Bytes of the heap that are still reachable. Collects twice, with a turn of the event loop between, so that what
 * finalisers and settled promises let go of is gone too.
 */
export async function reachableBytes(): Promise<number> {
  if (collect === undefined) {
    // As if Node had been started with the flag, so that the test needs no process of its own.
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  for (let round = 0; round < 3; round++) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage().heapUsed;
}
