import type { SessionFilter } from './filter';

export const sessionKeys = {
  lists: (tenant: string) => ['sessions', tenant, 'list'] as const,
  list: (tenant: string, filter: SessionFilter) => [...sessionKeys.lists(tenant), filter] as const,
  one: (tenant: string, id: string) => ['sessions', tenant, 'one', id] as const,
  messages: (tenant: string, id: string) => ['sessions', tenant, 'messages', id] as const,
};
