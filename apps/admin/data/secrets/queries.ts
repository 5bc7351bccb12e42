import type { Secret } from '@gantry/contracts';
import { apiPath } from '@/lib/api/path';
import { walkQuery } from '@/lib/api/query';
import { secretKeys } from './keys';

export const secretsQuery = (tenant: string) =>
  walkQuery<Secret>(secretKeys.list(tenant), apiPath('tenants', tenant, 'secrets'));
