import type { Permission, Tenant } from '@gantry/contracts';
import { apiPath } from '@/lib/api/path';
import { getQuery, walkQuery } from '@/lib/api/query';
import { tenantKeys } from './keys';

export const tenantsQuery = () => walkQuery<Tenant>(tenantKeys.list(), apiPath('tenants'));
export const tenantQuery = (tenant: string) => getQuery<Tenant>(tenantKeys.one(tenant), apiPath('tenants', tenant));

/** The API decides; this only mirrors what it said about this tenant. */
export function may(tenant: Pick<Tenant, 'permissions'> | undefined, permission: Permission): boolean {
  return tenant?.permissions.includes(permission) ?? false;
}
