import { outcomeUnknown, type RequestId } from '@gantry/mcp-core';
import type { ReadReply } from './log-redis.js';
import { READ_LIVE } from './log-scripts.js';

const ATTEMPTS = 5;

/**
 * Answers a call whose node has stopped and ends its stream, once over all nodes: only while nobody has said more than
 * was read.
 * @param read all that is kept of the stream
 * @param settle appends answers after that position and ends the stream; false when somebody was quicker
 */
export async function answerUnknown(
  read: () => Promise<ReadReply | undefined>,
  settle: (last: number, data: readonly string[]) => Promise<boolean>,
): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const kept = await read();
    if (kept === undefined || kept.status !== READ_LIVE) return;
    if (await settle(kept.first + kept.events.length - 1, unknownOutcomes(kept))) return;
  }
  throw new Error('the stream moves on though its node is gone');
}

/** The answers to the requests of a call whose node has stopped, for those that have none among the kept events. */
function unknownOutcomes({ requests, events }: ReadReply): string[] {
  if (requests === undefined) return [];
  const answered = new Set(events.map((event) => answeredId(event)));
  return (JSON.parse(requests) as RequestId[]).filter((id) => !answered.has(id)).map(outcomeUnknown);
}

function answeredId(event: string): unknown {
  try {
    const message: unknown = JSON.parse(event);
    if (typeof message !== 'object' || message === null || !('id' in message)) return undefined;
    return 'result' in message || 'error' in message ? message.id : undefined;
  } catch {
    return undefined;
  }
}
