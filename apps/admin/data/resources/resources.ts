import type { ResourceDocument, ResourceTemplateDocument } from '@gantry/contracts';
import { type ItemNoun, itemPath, itemsQuery } from '@/data/servers/items';

export const resourceNoun: ItemNoun<ResourceDocument> = {
  list: 'resources',
  answer: 'resource',
  idOf: (resource) => resource.uri,
};
export const templateNoun: ItemNoun<ResourceTemplateDocument> = {
  list: 'resourceTemplates',
  answer: 'resourceTemplate',
  idOf: (template) => template.uriTemplate,
};

export const resourcesQuery = (tenant: string, server: string) => itemsQuery(resourceNoun, tenant, server);
export const templatesQuery = (tenant: string, server: string) => itemsQuery(templateNoun, tenant, server);
/** Reads a resource by its URI, or one that fits a template, as a client would. */
export const readResourcePath = (tenant: string, server: string) => itemPath(resourceNoun, tenant, server, 'try');
