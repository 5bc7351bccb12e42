import type { TryToolAnswer } from '@gantry/contracts';
import { MCP_CODES } from '@gantry/mcp-core';
import { AppError } from '../common/errors/app-error.js';
import type { JsonRpcAnswer } from './try-responder.js';

/** What a JSON-RPC answer means to a person who tries a tool: its result, or a problem in words. */
export function tryOutcome(status: number, answer: JsonRpcAnswer | undefined): TryToolAnswer | AppError {
  if (answer?.result !== undefined) {
    const { content, structuredContent, isError } = answer.result as unknown as TryToolAnswer;
    return { content, ...(structuredContent === undefined ? {} : { structuredContent }), isError: isError ?? false };
  }
  if (answer?.error === undefined)
    return new AppError('internal', undefined, { logged: 'a try ended without an answer' });
  const { code, message } = answer.error;
  if (status === 429) return new AppError('rate_limited', message);
  if (status === 503) return new AppError('unavailable', message);
  if (code === MCP_CODES.INVALID_PARAMS) return new AppError('validation_failed', message);
  if (code === MCP_CODES.INTERNAL_ERROR) return new AppError('internal', undefined, { logged: message });
  return new AppError('bad_request', `The tool answered with the protocol error ${code}: ${message}`);
}
