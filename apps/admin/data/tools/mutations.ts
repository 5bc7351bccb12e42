import type { ToolAnswer, ToolDocument } from '@gantry/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { serverKeys } from '@/data/servers/keys';
import { type Answer, apiRequest } from '@/lib/api/client';
import { toolKeys } from './keys';
import { toolPath } from './queries';

export interface SaveTool {
  document: ToolDocument;
  /** The name it was stored under; absent for a new tool. */
  storedName?: string;
  /** Version it was read at: a save over somebody else's newer one is refused. */
  etag?: string;
}

export function useSaveTool(tenant: string, server: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ document, storedName, etag }: SaveTool): Promise<Answer<ToolAnswer>> =>
      storedName === undefined
        ? apiRequest('POST', toolPath(tenant, server), { body: document })
        : apiRequest('PUT', toolPath(tenant, server, storedName), { body: document, etag }),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: toolKeys.all(tenant, server) }),
        client.invalidateQueries({ queryKey: serverKeys.all(tenant) }),
      ]),
  });
}

export function useDeleteTool(tenant: string, server: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (tool: string) => apiRequest<void>('DELETE', toolPath(tenant, server, tool)),
    onSuccess: (_answer, tool) => {
      client.removeQueries({ queryKey: toolKeys.one(tenant, server, tool) });
      return Promise.all([
        client.invalidateQueries({ queryKey: toolKeys.list(tenant, server) }),
        client.invalidateQueries({ queryKey: serverKeys.all(tenant) }),
      ]);
    },
  });
}
