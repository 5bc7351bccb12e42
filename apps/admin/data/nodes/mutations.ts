import type { GantryNode } from '@gantry/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiRequest } from '@/lib/api/client';
import { apiPath } from '@/lib/api/path';
import { nodeKeys } from './keys';

/** Drains a node or lets it serve again. The answer is the node's own word; one that is silent fails with `node_silent`. */
export function useTellNode(operation: 'drain' | 'undrain') {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) => (await apiRequest<GantryNode>('POST', apiPath('nodes', id, operation))).data,
    onSettled: () => client.invalidateQueries({ queryKey: nodeKeys.list() }),
  });
}
