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

/** Stateless clients, whose ids say what they are, have no messages that belong together. */
export const hasMessages = (id: string) => !id.startsWith('stateless:');

/** The messages that nodes still keep, the oldest first. */
export const messagesQuery = (tenant: string, id: string) =>
  walkQuery<SessionMessage>(sessionKeys.messages(tenant, id), apiPath('tenants', tenant, 'sessions', id, 'messages'));
