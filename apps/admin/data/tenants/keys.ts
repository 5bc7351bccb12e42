export const tenantKeys = {
  all: ['tenants'] as const,
  list: () => [...tenantKeys.all, 'list'] as const,
  one: (tenant: string) => [...tenantKeys.all, tenant] as const,
};
