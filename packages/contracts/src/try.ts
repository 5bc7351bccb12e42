import { z } from 'zod';
import { timestampSchema } from './common.js';

const jsonObject = z.record(z.string(), z.unknown());

/** What goes on with a run that asked: the answers by the key of their question, and the state exactly as it was given. */
const round = {
  inputResponses: jsonObject.optional(),
  requestState: z.string().min(1).optional(),
};

export const tryToolBodySchema = z.strictObject({ arguments: jsonObject.default({}), ...round });
/** Arguments of prompts are strings (MCP schema: GetPromptRequestParams). */
export const tryPromptBodySchema = z.strictObject({
  arguments: z.record(z.string(), z.string()).default({}),
  ...round,
});
/** A resource by its URI, or one that fits a template. */
export const tryResourceBodySchema = z.strictObject({ uri: z.string().min(1).max(8_192), ...round });

/** One question of a run, in the newest revision's shape (MCP schema: InputRequest). */
export const tryQuestionSchema = z.object({
  method: z.enum(['elicitation/create', 'sampling/createMessage', 'roots/list']),
  params: jsonObject.optional(),
});
export type TryQuestion = z.infer<typeof tryQuestionSchema>;

/**
 * The run has questions: ask again with the same body and `inputResponses`, which holds the bare result of each question
 * under its key, and `requestState` if there is one. Without any question it only wants to be asked again.
 */
export const tryInputRequiredSchema = z.object({
  inputRequests: z.record(z.string(), tryQuestionSchema),
  requestState: z.string().optional(),
});
export type TryInputRequired = z.infer<typeof tryInputRequiredSchema>;

/** Result of a try: the MCP tool result as a client of the newest revision would see it. */
export const tryToolAnswerSchema = z.object({
  content: z.array(jsonObject),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
});
export type TryToolAnswer = z.infer<typeof tryToolAnswerSchema>;

/** The messages of a prompt as a client of the newest revision would see them. */
export const tryPromptAnswerSchema = z.object({
  description: z.string().optional(),
  messages: z.array(z.object({ role: z.enum(['user', 'assistant']), content: jsonObject })),
});
export type TryPromptAnswer = z.infer<typeof tryPromptAnswerSchema>;

/** What reading a resource gives; `blob` is base64. */
export const tryResourceAnswerSchema = z.object({
  contents: z.array(
    z.looseObject({
      uri: z.string(),
      mimeType: z.string().optional(),
      text: z.string().optional(),
      blob: z.string().optional(),
    }),
  ),
});
export type TryResourceAnswer = z.infer<typeof tryResourceAnswerSchema>;

/**
 * Events of a streamed try (`Accept: text/event-stream`): `progress` {progress, total?, message?},
 * `log` {level, data, logger?}, then exactly one of `result` (what the call answers otherwise), `input_required`
 * (a `TryInputRequired`) or `problem` (a `Problem`). Closing the connection cancels the run.
 */
export type TryEventName = 'progress' | 'log' | 'result' | 'input_required' | 'problem';

/** What opens one server's MCP endpoint for the person who asked, until it ends. */
export const playgroundTokenSchema = z.object({
  /** A bearer token; in no other answer, and stored nowhere. */
  token: z.string(),
  expiresAt: timestampSchema,
  /** The MCP endpoint it opens. */
  endpoint: z.string(),
});
export type PlaygroundToken = z.infer<typeof playgroundTokenSchema>;
