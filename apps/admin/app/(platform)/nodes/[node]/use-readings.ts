'use client';
import type { GantryNode } from '@gantry/contracts';
import { useEffect, useState } from 'react';

/** Ten minutes at a beat a second. */
const maxReadings = 600;

/** Every reading of the node since the page was opened, the newest last; the same beat counts once. */
export function useReadings(node: GantryNode): readonly GantryNode[] {
  const [readings, setReadings] = useState<readonly GantryNode[]>([node]);
  useEffect(() => {
    setReadings((before) => {
      const last = before.at(-1);
      if (last?.id !== node.id) return [node];
      if (last.lastSeenAt === node.lastSeenAt) return before;
      return [...before.slice(-(maxReadings - 1)), node];
    });
  }, [node]);
  return readings;
}
