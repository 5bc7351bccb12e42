import type { TryInputRequired, TryPromptAnswer, TryResourceAnswer, TryToolAnswer } from '@gantry/contracts';
import { MCP_CODES } from '@gantry/mcp-core';
import { AppError, notFound } from '../common/errors/app-error.js';
import type { JsonRpcAnswer } from './try-responder.js';

/** What the engine says of a `requestState` that it did not give for this request, or too long ago. */
const STALE_STATE = 'requestState is not valid for this request';
const STALE_WORDS =
  'These answers are too late, or belong to another run, other arguments or another person. Run it again from the start.';

type Result = Readonly<Record<string, unknown>>;

/** A kind of thing that can be tried, and what a person wants to see of its result. */
export interface TryKind<Answer> {
  readonly noun: 'tool' | 'prompt' | 'resource';
  readonly method: 'tools/call' | 'prompts/get' | 'resources/read';
  /** The result without the envelope of a revision. */
  present(result: Result): Answer;
}

export const toolTry: TryKind<TryToolAnswer> = {
  noun: 'tool',
  method: 'tools/call',
  present(result) {
    const { content, structuredContent, isError } = result as unknown as TryToolAnswer;
    return { content, ...(structuredContent === undefined ? {} : { structuredContent }), isError: isError ?? false };
  },
};

export const promptTry: TryKind<TryPromptAnswer> = {
  noun: 'prompt',
  method: 'prompts/get',
  present(result) {
    const { description, messages } = result as unknown as TryPromptAnswer;
    return { ...(description === undefined ? {} : { description }), messages };
  },
};

export const resourceTry: TryKind<TryResourceAnswer> = {
  noun: 'resource',
  method: 'resources/read',
  present: (result) => ({ contents: (result as unknown as TryResourceAnswer).contents }),
};

/** How a try ended for the person: with an answer, or with questions to them. */
export type TryEnd<Answer> =
  | { readonly event: 'result'; readonly answer: Answer }
  | { readonly event: 'input_required'; readonly answer: TryInputRequired };

/** What a JSON-RPC answer means to a person who tries something: its result, its questions, or a problem in words. */
export function tryOutcome<Answer>(
  kind: TryKind<Answer>,
  status: number,
  answer: JsonRpcAnswer | undefined,
): TryEnd<Answer> | AppError {
  const { result, error } = answer ?? {};
  if (result?.resultType === 'input_required') return { event: 'input_required', answer: questionsOf(result) };
  if (result !== undefined) return { event: 'result', answer: kind.present(result) };
  if (error === undefined) return new AppError('internal', undefined, { logged: 'a try ended without an answer' });
  return problemOf(kind, status, error);
}

function questionsOf(result: Result): TryInputRequired {
  const { inputRequests = {}, requestState } = result as Partial<TryInputRequired>;
  return { inputRequests, ...(requestState === undefined ? {} : { requestState }) };
}

function problemOf(
  { noun, method }: TryKind<unknown>,
  status: number,
  { code, message, data }: NonNullable<JsonRpcAnswer['error']>,
): AppError {
  if (status === 429) return new AppError('rate_limited', message);
  if (status === 503) return new AppError('unavailable', message);
  // The engine names the URI where there is no such resource, and where reading it failed in words for the reader.
  const ofResource = method === 'resources/read' && (data as { uri?: unknown } | undefined)?.uri !== undefined;
  if (code === MCP_CODES.INVALID_PARAMS) {
    if (ofResource) return notFound('resource');
    return new AppError('validation_failed', message.endsWith(STALE_STATE) ? STALE_WORDS : message);
  }
  if (code === MCP_CODES.INTERNAL_ERROR && ofResource) return new AppError('validation_failed', message);
  if (code === MCP_CODES.INTERNAL_ERROR) return new AppError('internal', undefined, { logged: message });
  return new AppError('bad_request', `The ${noun} answered with the protocol error ${code}: ${message}`);
}
