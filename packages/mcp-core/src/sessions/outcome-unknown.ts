import { MCP_CODES } from '../jsonrpc/errors.js';
import { errorMessage, type RequestId } from '../jsonrpc/messages.js';

/** The answer to a request whose node has stopped, as JSON text: whether the work was done nobody can say any more. */
export function outcomeUnknown(id: RequestId): string {
  const message = 'Outcome unknown: the node that ran this request has stopped';
  return JSON.stringify(errorMessage(id, MCP_CODES.INTERNAL_ERROR, message));
}
