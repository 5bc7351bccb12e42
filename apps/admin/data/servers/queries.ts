import type { Revision, ServerDocument, ServerSummary } from '@gantry/contracts';
import { apiPath } from '@/lib/api/path';
import { versionedQuery, walkQuery } from '@/lib/api/query';
import { serverKeys } from './keys';

const serverPath = (tenant: string, ...rest: string[]) => apiPath('tenants', tenant, 'servers', ...rest);

export const serversQuery = (tenant: string) => walkQuery<ServerSummary>(serverKeys.list(tenant), serverPath(tenant));
/**
 * The same list, for the frame of the page. It may ask before the page below has come to life; with a key of its own
 * it cannot stand in the way of what the server has painted there.
 */
export const serverNamesQuery = (tenant: string) =>
  walkQuery<ServerSummary>(serverKeys.names(tenant), serverPath(tenant));
export const documentQuery = (tenant: string, server: string) =>
  versionedQuery<ServerDocument>(serverKeys.document(tenant, server), serverPath(tenant, server));
export const revisionsQuery = (tenant: string, server: string) =>
  walkQuery<Revision>(serverKeys.revisions(tenant, server), serverPath(tenant, server, 'revisions'));
