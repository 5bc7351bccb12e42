import type { TemplateRunnerSpec } from '@gantry/contracts';
import type { ContentBlock, ToolCall, ToolOutcome } from '@gantry/mcp-core';
import { pointer } from '../../../../common/http/json-faults.js';
import { type Compiled, Notes } from '../compiled.js';
import { checkContentBlock } from './content-blocks.js';
import { compileJson } from './json-template.js';
import { type Arguments, parseSlots, TextTemplate } from './slots.js';

/** A compiled template: arguments in, outcome out, nothing to wait for. */
export type TemplatePlan = (args: Arguments) => ToolOutcome;

/**
 * Runs tools that are fixed text or content with `{argument}` slots. `{{name}}` stands for the literal text `{name}`;
 * secrets are never filled, since the result is for the client. A missing argument reads as ''.
 */
export class TemplateRunner {
  /** Checks and prepares the `template` of a tool. Fault paths start at that object. */
  compile(spec: TemplateRunnerSpec): Compiled<TemplatePlan> {
    const notes = new Notes();
    const { text, content } = spec;
    if ((text === undefined) === (content === undefined)) {
      notes.fault('', 'expected exactly one of "text" and "content"');
      return notes.result(() => emptyPlan);
    }
    const plan = text !== undefined ? textPlan(text, notes) : contentPlan(content ?? [], notes);
    return notes.result(() => plan);
  }

  run(plan: TemplatePlan, call: Pick<ToolCall, 'arguments'>): ToolOutcome {
    return plan(call.arguments);
  }
}

/** Checks and prepares a text with slots that stands at `/text`. */
export function compileText(text: string): Compiled<TextTemplate> {
  const notes = new Notes();
  const template = new TextTemplate(parseSlots(text, '/text', false, notes));
  return notes.result(() => template);
}

const emptyPlan: TemplatePlan = () => ({ content: [] });

function textPlan(text: string, notes: Notes): TemplatePlan {
  const template = new TextTemplate(parseSlots(text, '/text', false, notes));
  if (template.slots.length === 0) return fixed([{ type: 'text', text: template.fill({}) }]);
  return (args) => ({ content: [{ type: 'text', text: template.fill(args) }] });
}

function contentPlan(blocks: readonly unknown[], notes: Notes): TemplatePlan {
  blocks.forEach((block, i) => {
    checkContentBlock(block, `/content${pointer(i)}`, notes);
  });
  const template = compileJson(blocks, '/content', { keepTypes: false }, notes);
  if (template.slots.length === 0) return fixed(template.fill({}) as ContentBlock[]);
  return (args) => ({ content: template.fill(args) as ContentBlock[] });
}

function fixed(content: readonly ContentBlock[]): TemplatePlan {
  const outcome: ToolOutcome = Object.freeze({ content: Object.freeze([...content]) });
  return () => outcome;
}
