import {
  type PromptDocument,
  promptDocumentSchema,
  type ResourceDocument,
  type ResourceTemplateDocument,
  resourceDocumentSchema,
  resourceTemplateDocumentSchema,
  type ServerDocument,
  type ToolDocument,
  toolDocumentSchema,
} from '@gantry/contracts';
import { asciiUri } from '@gantry/mcp-core';
import type { z } from 'zod';
import type { Deferred } from './check/deferred.js';
import { checkPrompt } from './check/prompt-check.js';
import { checkResource, checkResourceTemplate } from './check/resource-check.js';
import { checkTool, withObjectRoot } from './check/tool-check.js';
import type { Findings } from './check/verdict.js';
import { promptDefinition, resourceDefinition, resourceTemplateDefinition, toolDefinition } from './definitions.js';

/** The lists of a server document, by the type of their items. */
export interface ItemDocuments {
  readonly tools: ToolDocument;
  readonly prompts: PromptDocument;
  readonly resources: ResourceDocument;
  readonly resourceTemplates: ResourceTemplateDocument;
}
export type ItemList = keyof ItemDocuments;

/** What is the same, and what differs, between the lists of a server document. */
export interface ItemKind<List extends ItemList = ItemList> {
  readonly list: List;
  /** The field that names an item within its list. */
  readonly key: string & keyof ItemDocuments[List];
  /** Two of these are equal when they name the same item. */
  readonly canonical: (id: string) => string;
  /** What one is called in the trail and in answers. */
  readonly noun: string;
  /** What one is called in sentences. */
  readonly words: string;
  readonly schema: z.ZodType<ItemDocuments[List]>;
  /** Judges one beyond its shape, on the raw value. */
  readonly check: (item: unknown, path: PropertyKey[], findings: Findings, deferred: Deferred) => void;
  /** An item of sound shape as it is stored. */
  readonly normalise: (item: ItemDocuments[List]) => ItemDocuments[List];
  /** What clients see of it. */
  readonly definition: (item: ItemDocuments[List]) => object;
}

const asItIs = <T>(item: T): T => item;

export const itemKinds: { readonly [List in ItemList]: ItemKind<List> } = {
  tools: {
    list: 'tools',
    key: 'name',
    canonical: asItIs,
    noun: 'tool',
    words: 'tool',
    schema: toolDocumentSchema,
    check: checkTool,
    normalise: (tool) => ({ ...tool, inputSchema: withObjectRoot(tool.inputSchema) }),
    definition: toolDefinition,
  },
  prompts: {
    list: 'prompts',
    key: 'name',
    canonical: asItIs,
    noun: 'prompt',
    words: 'prompt',
    schema: promptDocumentSchema,
    check: checkPrompt,
    normalise: asItIs,
    definition: promptDefinition,
  },
  resources: {
    list: 'resources',
    key: 'uri',
    canonical: asciiUri,
    noun: 'resource',
    words: 'resource',
    schema: resourceDocumentSchema,
    check: checkResource,
    normalise: asItIs,
    definition: resourceDefinition,
  },
  resourceTemplates: {
    list: 'resourceTemplates',
    key: 'uriTemplate',
    canonical: asciiUri,
    noun: 'resourceTemplate',
    words: 'resource template',
    schema: resourceTemplateDocumentSchema,
    check: checkResourceTemplate,
    normalise: asItIs,
    definition: resourceTemplateDefinition,
  },
};

/** What names an item within its list. */
export function idOf<List extends ItemList>(kind: ItemKind<List>, item: ItemDocuments[List]): string {
  return item[kind.key] as string;
}

/** Whether an item of a list is the one that `id` names. */
export function isNamed<List extends ItemList>(
  { key, canonical }: ItemKind<List>,
  id: string,
): (item: ItemDocuments[List]) => boolean {
  const wanted = canonical(id);
  return (item) => canonical(item[key] as string) === wanted;
}

/** The items of one list; none where a document has no such list. */
export function itemsOf<List extends ItemList>(
  kind: ItemKind<List>,
  document: ServerDocument | undefined,
): readonly ItemDocuments[List][] {
  return (document?.[kind.list] ?? []) as unknown as readonly ItemDocuments[List][];
}
