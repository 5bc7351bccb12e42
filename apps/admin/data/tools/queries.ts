import type { ToolDocument } from '@gantry/contracts';
import { apiPath } from '@/lib/api/path';
import { versionedQuery, walkQuery } from '@/lib/api/query';
import { toolKeys } from './keys';

export const toolPath = (tenant: string, server: string, ...rest: string[]) =>
  apiPath('tenants', tenant, 'servers', server, 'tools', ...rest);

export const toolsQuery = (tenant: string, server: string) =>
  walkQuery<ToolDocument>(toolKeys.list(tenant, server), toolPath(tenant, server));
export const toolQuery = (tenant: string, server: string, tool: string) =>
  versionedQuery<ToolDocument>(toolKeys.one(tenant, server, tool), toolPath(tenant, server, tool));
