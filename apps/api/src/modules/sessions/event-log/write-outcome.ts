import type { EventsBell } from './bell.js';
import type { WriteReply } from './log-redis.js';
import { ENDED, MOVED_ON, NO_STREAM, OPEN } from './log-scripts.js';
import type { Operation } from './operations.js';

type Follow = Operation & { readonly kind: 'follow' };

export interface WriteOutcome {
  /** How the stream stood afterwards. */
  readonly state: number;
  /** How many events the log took. */
  readonly count: number;
  /** What was said and not handed to `follow`. */
  readonly said: EventsBell[];
}

/**
 * Goes through a write as the script did, and tells everybody but followers what came of it.
 * @param follow given what was said before it in the same write; gives what whoever follows is told
 */
export function settleWrite(
  batch: readonly Operation[],
  { state: found, last: newest, read }: WriteReply,
  follow: (operation: Follow, before: readonly EventsBell[]) => (() => void) | undefined,
): WriteOutcome {
  let [state, last] = [found, newest];
  let said: EventsBell[] = [];
  let count = 0;
  const take = (data: readonly string[], ends: boolean) => {
    if (state !== OPEN) return undefined;
    last += data.length;
    count += data.length;
    if (ends) state = ENDED;
    said.push({ kind: 'events', first: last - data.length + 1, last, ended: ends, data });
    return last;
  };
  for (const operation of batch) {
    switch (operation.kind) {
      case 'open':
        if (state === NO_STREAM) state = OPEN;
        break;
      case 'append':
        operation.resolve(take([operation.data], operation.ends));
        break;
      case 'settle':
        operation.resolve(found !== MOVED_ON && take(operation.data, true) !== undefined);
        break;
      case 'end':
        take([], true);
        operation.resolve();
        break;
      case 'last':
        operation.resolve(state === OPEN || state === ENDED ? last : undefined);
        break;
      case 'read':
        operation.resolve(read);
        break;
      case 'follow':
        operation.resolve(follow(operation, said));
        said = [];
    }
  }
  return { state, count, said };
}
