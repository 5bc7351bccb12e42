'use client';
import type { GantryNode, NodesFrame } from '@gantry/contracts';
import { useQueryClient } from '@tanstack/react-query';
import type { Walked } from '@/lib/api/query';
import { applyFrame } from '@/lib/live/rows';
import { usePolling, useTopic } from '@/lib/live/use-live';
import { nodeKeys } from './keys';

/** Keeps the list of nodes as the stream tells it. */
export function useLiveNodes(): { refetchInterval: number | false } {
  const client = useQueryClient();
  useTopic('nodes', (frame) => {
    client.setQueryData<Walked<GantryNode>>(
      nodeKeys.list(),
      (before) => before && { ...before, items: applyFrame(before.items, frame as NodesFrame) },
    );
  });
  return { refetchInterval: usePolling() };
}
