import type { PromptDocument } from '@gantry/contracts';
import { type ItemNoun, itemPath, itemQuery, itemsQuery } from '@/data/servers/items';

export const promptNoun: ItemNoun<PromptDocument> = {
  list: 'prompts',
  answer: 'prompt',
  idOf: (prompt) => prompt.name,
};

export const promptPath = (tenant: string, server: string, ...rest: string[]) =>
  itemPath(promptNoun, tenant, server, ...rest);
export const promptsQuery = (tenant: string, server: string) => itemsQuery(promptNoun, tenant, server);
export const promptQuery = (tenant: string, server: string, name: string) =>
  itemQuery(promptNoun, tenant, server, name);
