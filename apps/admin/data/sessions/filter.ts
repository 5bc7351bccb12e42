import type { Era, Session, SessionState } from '@gantry/contracts';

export const eras = ['session', 'stateless', 'http+sse'] as const satisfies readonly Era[];
export const sessionStates = ['active', 'idle', 'draining'] as const satisfies readonly SessionState[];

/** What narrows the list; the API does so over all sessions, before it pages. */
export interface SessionFilter {
  q?: string;
  client?: string;
  server?: string;
  node?: string;
  era?: Era;
  state?: SessionState;
}

/** The filter in a page's query string; what is unknown in it counts as absent. */
export function readFilter(query: Record<string, string | string[] | undefined>): SessionFilter {
  const text = (name: string) => {
    const value = query[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const era = eras.find((one) => one === text('era'));
  const state = sessionStates.find((one) => one === text('state'));
  return compact({ q: text('q'), client: text('client'), server: text('server'), node: text('node'), era, state });
}

/** Without absent members, so that equal filters are equal keys. */
export function compact(filter: { [K in keyof SessionFilter]: SessionFilter[K] | null | '' }): SessionFilter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value)) as SessionFilter;
}

/**
 * Whether a row that the stream brought belongs into the filtered list, as the API would decide; by node it can only be
 * told of the one that a session was opened on.
 */
export function matches(session: Session, filter: SessionFilter): boolean {
  const { q, client, server, node, era, state } = filter;
  if (server && session.server !== server) return false;
  if (client && session.client.name !== client) return false;
  if (node && session.node !== node) return false;
  if (era && session.era !== era) return false;
  if (state && session.state !== state) return false;
  if (!q) return true;
  const { id, principal } = session;
  const needle = q.toLowerCase();
  return [id, session.client.name, session.client.version, principal, session.server].some((word) =>
    word?.toLowerCase().includes(needle),
  );
}
