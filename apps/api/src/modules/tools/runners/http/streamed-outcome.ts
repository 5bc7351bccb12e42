import type { ToolOutcome } from '@gantry/mcp-core';
import type { BoundedBody, EgressResponse } from '../../../../infra/egress/index.js';
import { type AnswerContext, error, outcomeOf } from './answer.js';
import type { StreamedAnswer } from './streamed-answer.js';

/**
 * What a tool answers when its backend's stream is over: its last event, as if that had been the whole answer, by JSON
 * or by text. A stream that is too long, breaks off or holds no event is an error in words.
 * @throws EventTooLong
 */
export function streamedOutcome(
  streamed: StreamedAnswer,
  head: EgressResponse,
  body: BoundedBody,
  about: AnswerContext & { readonly toolName: string },
): ToolOutcome {
  const { subject, limit } = about;
  if (body.truncated) {
    return error(`${subject} stopped: the backend's stream is longer than the limit of ${limit} bytes and was cut.`);
  }
  const result = streamed.end();
  if (result.kind === 'none') return error(`${subject} failed: the backend's stream ended without an event.`);
  if (result.kind === 'cut') {
    return error(`${subject} failed: the backend's stream ended in the middle of an event, before its result.`);
  }
  const headers = {
    ...head.headers,
    'content-type': `${result.isJson ? 'application/json' : 'text/plain'}; charset=utf-8`,
  };
  const outcome = outcomeOf({ ...head, headers }, { ...body, bytes: Buffer.from(result.text) }, about);
  return result.kind === 'error' ? { ...outcome, isError: true } : outcome;
}
