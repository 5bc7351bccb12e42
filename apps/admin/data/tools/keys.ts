export const toolKeys = {
  all: (tenant: string, server: string) => ['tools', tenant, server] as const,
  list: (tenant: string, server: string) => [...toolKeys.all(tenant, server), 'list'] as const,
  one: (tenant: string, server: string, tool: string) => [...toolKeys.all(tenant, server), 'one', tool] as const,
};
