'use client';
import { useQueryClient } from '@tanstack/react-query';
import { usePolling, useTopic } from '@/lib/live/use-live';
import { nodeKeys } from './keys';

/** Keeps the list of nodes as the stream tells it. */
export function useLiveNodes(): { refetchInterval: number | false } {
  const client = useQueryClient();
  useTopic('nodes', () => void client.invalidateQueries({ queryKey: nodeKeys.list() }));
  return { refetchInterval: usePolling() };
}
