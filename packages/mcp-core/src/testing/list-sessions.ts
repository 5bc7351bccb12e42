import type { SessionView } from '../sessions/session-view.js';
import type { McpEndpoint } from '../transports/streamable-http/endpoint.js';

/** All living sessions of a server; the one that scripted clients speak to unless another is named. */
export async function sessionsOf(endpoint: McpEndpoint, server = 'fixture'): Promise<readonly SessionView[]> {
  const { items, next } = await endpoint.listSessions(server, 100_000);
  if (next !== undefined) throw new Error('there are more sessions than one page holds');
  return items;
}
