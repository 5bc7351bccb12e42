import { errorMessage, type RequestId } from '../../jsonrpc/messages.js';
import type { HttpResponder } from '../http-exchange.js';
import type { ResponseHeaders } from './exchange.js';

/** Answers that need no dispatcher: the checks before it. Every body is a JSON-RPC error, without `id` if none could be read. */
export function answerError(
  responder: HttpResponder,
  status: number,
  error: { readonly code: number; readonly message: string; readonly data?: unknown },
  id?: RequestId,
  headers?: ResponseHeaders,
): void {
  responder.json(status, JSON.stringify(errorMessage(id, error.code, error.message, error.data)), headers);
}
