import type { PromptDocument, ResourceDocument, ResourceTemplateDocument, ToolDocument } from '@gantry/contracts';
import {
  normaliseInputSchema,
  type ObjectSchema,
  type Prompt,
  type Resource,
  type ResourceTemplate,
  type Tool,
} from '@gantry/mcp-core';
import { sizeOf } from './check/resource-check.js';

/** What clients see of a tool. Schemas pass verbatim, but for the root type that every client needs. */
export function toolDefinition(document: ToolDocument): Tool {
  const { name, title, description, icons, inputSchema, outputSchema, annotations, _meta } = document;
  return {
    name,
    title,
    description,
    icons,
    inputSchema: normaliseInputSchema(inputSchema) as ObjectSchema,
    outputSchema,
    annotations,
    _meta,
  };
}

/** What clients see of a prompt: all but where its messages come from, and what completes its arguments. */
export function promptDefinition({ messages, code, stateful, timeoutMs, ...shown }: PromptDocument): Prompt {
  const known = shown.arguments?.map(({ complete, ...argument }) => argument);
  return { ...shown, ...(known === undefined ? {} : { arguments: known }) };
}

/** What clients see of a resource. The size is computed where the contents stand in the document. */
export function resourceDefinition(document: ResourceDocument): Resource {
  const { text, blob, http, code, stateful, timeoutMs, size: declared, ...shown } = document;
  const size = sizeOf(document) ?? declared;
  return { ...shown, ...(size === undefined ? {} : { size }) };
}

/** What clients see of a resource template. */
export function resourceTemplateDefinition(document: ResourceTemplateDocument): ResourceTemplate {
  const { text, http, code, stateful, timeoutMs, complete, ...shown } = document;
  return shown;
}
