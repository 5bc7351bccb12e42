import type { ApiKey } from '@gantry/contracts';
import { apiPath } from '@/lib/api/path';
import { walkQuery } from '@/lib/api/query';
import { apiKeyKeys } from './keys';

export const apiKeysQuery = (tenant: string) =>
  walkQuery<ApiKey>(apiKeyKeys.list(tenant), apiPath('tenants', tenant, 'keys'));
