import type { PromptMessageDocument } from '@gantry/contracts';
import type { PromptMessage, PromptOutcome } from '@gantry/mcp-core';
import { pointer } from '../../../../common/http/json-faults.js';
import { type Compiled, Notes } from '../compiled.js';
import { checkContentBlock } from './content-blocks.js';
import { compileJson } from './json-template.js';
import type { Arguments } from './slots.js';

/** Compiled messages: arguments in, outcome out, nothing to wait for. */
export type MessagesPlan = (args: Arguments) => PromptOutcome;

/**
 * Checks and prepares the `messages` of a prompt; fault paths start at the prompt. The strings of their content are
 * templates as those of tools are: a missing argument reads as ''.
 */
export function compileMessages(messages: readonly PromptMessageDocument[]): Compiled<MessagesPlan> {
  const notes = new Notes();
  messages.forEach(({ content }, i) => {
    checkContentBlock(content, `/messages${pointer(i)}/content`, notes);
  });
  const template = compileJson(messages, '/messages', { keepTypes: false }, notes);
  return notes.result((): MessagesPlan => {
    if (template.slots.length > 0) return (args) => ({ messages: template.fill(args) as PromptMessage[] });
    const outcome: PromptOutcome = Object.freeze({ messages: template.fill({}) as PromptMessage[] });
    return () => outcome;
  });
}
