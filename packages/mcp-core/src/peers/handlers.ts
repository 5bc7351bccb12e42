import type { MaybePromise } from '../ports/session-store.js';
import {
  type InputAnswer,
  InputNeeded,
  type PromptOutcome,
  type PromptRunner,
  type ResourceOutcome,
  type ResourceRunner,
  type RunContext,
  RunFailure,
  type ToolOutcome,
  type ToolRunner,
} from '../ports/tool-runner.js';
import type { InputRequest, ResourceContents } from '../protocol/types.js';

/**
 * Runs a tool with arguments that fit its schema. A string is one block of text; a thrown `RunFailure` is a failure in
 * words for the model, a thrown `MCPError` an error of the protocol, anything else -32603 without its words.
 */
export type ToolHandler<Args extends object = Record<string, unknown>> = (
  args: Args,
  context: RunContext,
) => MaybePromise<string | ToolOutcome | InputNeeded>;

/** Makes a prompt. A string is one message of the user. */
export type PromptHandler = (
  args: Readonly<Record<string, string>>,
  context: RunContext,
) => MaybePromise<string | PromptOutcome | InputNeeded>;

/** What is read: its URI, and for a template what the URI's variables stand for. */
export interface ResourceRequest {
  readonly uri: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** Reads a resource. A string is its text. */
export type ResourceHandler = (
  request: ResourceRequest,
  context: RunContext,
) => MaybePromise<string | readonly ResourceContents[] | ResourceOutcome | InputNeeded>;

/**
 * Asks the client from inside a handler, which ends here and begins again from the top with the answer: what it does
 * before it asks, it does again. Works alike in every revision; a `catch` around it must throw on what is no `Error`.
 * @param key names the question among those of this handler
 */
export function askClient(context: RunContext, key: string, question: InputRequest): InputAnswer {
  const { answers } = context.inputs;
  const answer = Object.hasOwn(answers, key) ? answers[key] : undefined;
  if (answer !== undefined) return answer;
  throw new InputNeeded({ [key]: question });
}

/** Runs the handlers that offers carry. */
export const toolRunner: ToolRunner = {
  run: ({ tool, arguments: args }, context) =>
    running(
      () => (tool.runner as ToolHandler)({ ...args }, context),
      (outcome: string | ToolOutcome) => (typeof outcome === 'string' ? textOutcome(outcome) : outcome),
      (words) => ({ ...textOutcome(words), isError: true }),
    ),
};

export const promptRunner: PromptRunner = {
  get: ({ prompt, arguments: args }, context) =>
    running(
      () => (prompt.runner as PromptHandler)(args, context),
      (outcome: string | PromptOutcome): PromptOutcome =>
        typeof outcome === 'string'
          ? { messages: [{ role: 'user', content: { type: 'text', text: outcome } }] }
          : outcome,
    ),
};

export const resourceRunner: ResourceRunner = {
  read: ({ resource, uri, variables }, context) =>
    running(
      () => (resource.runner as ResourceHandler)({ uri, variables }, context),
      (outcome: string | readonly ResourceContents[] | ResourceOutcome): ResourceOutcome => {
        if (typeof outcome !== 'string') return isContents(outcome) ? { contents: outcome } : outcome;
        const { mimeType } = resource.definition;
        return { contents: [{ uri, ...(mimeType === undefined ? {} : { mimeType }), text: outcome }] };
      },
    ),
};

function textOutcome(text: string): ToolOutcome {
  return { content: [{ type: 'text', text }] };
}

function isContents(outcome: object): outcome is readonly ResourceContents[] {
  return Array.isArray(outcome);
}

/** Calls a handler, brings what it gives into shape, and takes a question for an outcome. */
function running<Given, Outcome>(
  call: () => MaybePromise<Given | InputNeeded>,
  shape: (given: Given) => Outcome,
  failed?: (words: string) => Outcome,
): MaybePromise<Outcome | InputNeeded> {
  const settle = (given: Given | InputNeeded) => (given instanceof InputNeeded ? given : shape(given));
  const thrown = (error: unknown): Outcome | InputNeeded => {
    if (error instanceof InputNeeded) return error;
    if (failed !== undefined && error instanceof RunFailure) return failed(error.message);
    throw error;
  };
  try {
    const given = call();
    return given instanceof Promise ? given.then(settle).catch(thrown) : settle(given);
  } catch (error) {
    return thrown(error);
  }
}
