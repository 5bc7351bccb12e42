import type { Revision, ServerDocument, ServerSummary } from '@gantry/contracts';
import { apiPath } from '@/lib/api/path';
import { versionedQuery, walkQuery } from '@/lib/api/query';
import { serverKeys } from './keys';

const serverPath = (tenant: string, ...rest: string[]) => apiPath('tenants', tenant, 'servers', ...rest);

export const serversQuery = (tenant: string) => walkQuery<ServerSummary>(serverKeys.list(tenant), serverPath(tenant));
export const documentQuery = (tenant: string, server: string) =>
  versionedQuery<ServerDocument>(serverKeys.document(tenant, server), serverPath(tenant, server));
export const revisionsQuery = (tenant: string, server: string) =>
  walkQuery<Revision>(serverKeys.revisions(tenant, server), serverPath(tenant, server, 'revisions'));
