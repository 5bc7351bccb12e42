import type { ServerDocument } from '@gantry/contracts';
import type { ListKind } from '@gantry/mcp-core';
import {
  promptDefinition,
  resourceDefinition,
  resourceTemplateDefinition,
  toolDefinition,
} from '../modules/servers/definitions.js';

const LISTS: readonly ListKind[] = ['tools', 'prompts', 'resources'];

/** The lists that look different to clients after a change from one published document to another. */
export function changedLists(before: ServerDocument, after: ServerDocument): ListKind[] {
  const [old, now] = [listsOf(before), listsOf(after)];
  return LISTS.filter((list) => old[list] !== now[list]);
}

/** What each list is made from. */
function listsOf({ tools, prompts, resources, resourceTemplates }: ServerDocument): Record<ListKind, string> {
  return {
    tools: JSON.stringify(tools.map(toolDefinition)),
    prompts: JSON.stringify(prompts?.map(promptDefinition) ?? null),
    resources: JSON.stringify([resources?.map(resourceDefinition), resourceTemplates?.map(resourceTemplateDefinition)]),
  };
}
