export const serverKeys = {
  all: (tenant: string) => ['servers', tenant] as const,
  list: (tenant: string) => [...serverKeys.all(tenant), 'list'] as const,
  names: (tenant: string) => [...serverKeys.all(tenant), 'names'] as const,
  one: (tenant: string, server: string) => [...serverKeys.all(tenant), 'one', server] as const,
  document: (tenant: string, server: string) => [...serverKeys.one(tenant, server), 'document'] as const,
  revisions: (tenant: string, server: string) => [...serverKeys.one(tenant, server), 'revisions'] as const,
};
