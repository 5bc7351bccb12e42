import { errorMessage, MCP_CODES, type RequestId } from '@gantry/mcp-core';
import type { ReadReply } from './log-redis.js';

/**
 * The answers to the requests of a call whose node has stopped, for those that have none among the kept events. Whether
 * the work was done nobody can say any more, and that is what they say.
 * @param read all that is kept of the stream
 */
export function unknownOutcomes({ requests, events }: ReadReply): string[] {
  if (requests === undefined) return [];
  const answered = new Set(events.map((event) => answeredId(event)));
  return (JSON.parse(requests) as RequestId[])
    .filter((id) => !answered.has(id))
    .map((id) =>
      JSON.stringify(
        errorMessage(id, MCP_CODES.INTERNAL_ERROR, 'Outcome unknown: the node that ran this request has stopped'),
      ),
    );
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
