import { type PromptMessage, type PromptOutcome, RunFailure } from '@gantry/mcp-core';
import { isObject } from '../../../../common/json.js';
import { blockFault } from './content-fault.js';
import { deeperThan, maxJsonDepth } from './sandbox/json-depth.js';

/**
 * What a prompt's function returned becomes its messages: `{description?, messages}`, where each message has a role and
 * one content block. Throws `RunFailure` that begins with `subject` for anything else.
 */
export function promptOutcomeOf(subject: string, resultJson: string | undefined): PromptOutcome {
  const fail = (words: string) => new RunFailure(`${subject} failed: ${words}`);
  if (deeperThan(maxJsonDepth, resultJson ?? '')) {
    throw fail(`the result is nested more than ${maxJsonDepth} levels deep`);
  }
  const value: unknown = resultJson === undefined ? undefined : JSON.parse(resultJson);
  if (!isObject(value) || !Array.isArray(value.messages)) {
    throw fail('the function must return {description?, messages: [{role, content}]}');
  }
  const { description, messages, _meta } = value;
  if (description !== undefined && typeof description !== 'string') throw fail('description must be a string');
  if (_meta !== undefined && !isObject(_meta)) throw fail('_meta must be an object');
  for (const [index, message] of messages.entries()) {
    const fault = messageFault(message, `messages[${index}]`);
    if (fault) throw fail(fault);
  }
  return {
    ...(description === undefined ? {} : { description }),
    messages: messages.map(({ role, content }: PromptMessage) => ({ role, content })),
    ...(_meta === undefined ? {} : { _meta }),
  };
}

function messageFault(message: unknown, where: string): string | undefined {
  if (!isObject(message) || (message.role !== 'user' && message.role !== 'assistant')) {
    return `${where}.role must be "user" or "assistant"`;
  }
  return blockFault(message.content, `${where}.content`);
}
