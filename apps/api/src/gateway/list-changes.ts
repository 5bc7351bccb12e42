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

/**
 * Whether those who came without a key have to go.
 * @param since the revision of `before` where that is the last that clients have heard of; between it and `after` others
 *   may have come and gone where that is not known
 */
export function mayHaveClosed(before: ServerDocument, after: ServerDocument, since: number | undefined): boolean {
  return after.access !== 'public' && (before.access === 'public' || since === undefined);
}

/** What each list is made from. */
function listsOf({ tools, prompts, resources, resourceTemplates }: ServerDocument): Record<ListKind, string> {
  return {
    tools: JSON.stringify(tools.map(toolDefinition)),
    prompts: JSON.stringify(prompts?.map(promptDefinition) ?? null),
    resources: JSON.stringify([resources?.map(resourceDefinition), resourceTemplates?.map(resourceTemplateDefinition)]),
  };
}
