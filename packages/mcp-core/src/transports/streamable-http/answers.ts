import { MCP_CODES } from '../../jsonrpc/errors.js';
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

/** What a request stands on, such as the session store, does not answer. */
export const UNAVAILABLE = { code: MCP_CODES.INTERNAL_ERROR, message: 'Temporarily unavailable; try again' };
/** A wait in seconds, for what passes by itself or is over on another node. */
export const RETRY_SOON: ResponseHeaders = Object.freeze({ 'retry-after': '1' });

export const SHUTTING_DOWN = 'The server is shutting down';

/** For a new stream on a node that is being emptied: whoever comes again is led to another. */
export function answerSendingAway(responder: HttpResponder): void {
  const message = 'This node takes no new streams; try again';
  answerError(responder, 503, { code: MCP_CODES.INTERNAL_ERROR, message }, undefined, RETRY_SOON);
}

export function answerClosing(responder: HttpResponder): void {
  answerError(responder, 503, { code: MCP_CODES.INTERNAL_ERROR, message: SHUTTING_DOWN }, undefined, RETRY_SOON);
}
