import type { Session, SessionDetail, SessionMessage } from '@gantry/contracts';
import { apiPath, withQuery } from '@/lib/api/path';
import { getQuery, walkQuery } from '@/lib/api/query';
import type { SessionFilter } from './filter';
import { sessionKeys } from './keys';

export const sessionsQuery = (tenant: string, filter: SessionFilter) =>
  walkQuery<Session>(
    sessionKeys.list(tenant, filter),
    withQuery(apiPath('tenants', tenant, 'sessions'), { ...filter }),
  );

export const sessionQuery = (tenant: string, id: string) =>
  getQuery<SessionDetail>(sessionKeys.one(tenant, id), apiPath('tenants', tenant, 'sessions', id));

/** Ids of stateless clients say what they are; such a client has no messages that belong together. */
export const isStateless = (id: string) => id.startsWith('stateless:');

/** The messages that nodes still keep, the oldest first. */
export const messagesQuery = (tenant: string, id: string) =>
  walkQuery<SessionMessage>(sessionKeys.messages(tenant, id), apiPath('tenants', tenant, 'sessions', id, 'messages'));
