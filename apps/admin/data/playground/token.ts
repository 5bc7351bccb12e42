import type { PlaygroundToken } from '@gantry/contracts';
import { apiRequest } from '@/lib/api/client';
import { apiPath } from '@/lib/api/path';

/** A token for the MCP endpoint of one server, in the reader's own name; keep it in memory only. */
export async function fetchPlaygroundToken(tenant: string, server: string): Promise<PlaygroundToken> {
  const path = apiPath('tenants', tenant, 'servers', server, 'playground-token');
  return (await apiRequest<PlaygroundToken>('POST', path, { body: {} })).data;
}
