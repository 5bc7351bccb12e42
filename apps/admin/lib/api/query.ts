import type { Page } from '@gantry/contracts';
import { queryOptions } from '@tanstack/react-query';
import { apiRequest } from '@/lib/api/client';
import { withQuery } from '@/lib/api/path';

/** How many pages of 200 `walkQuery` reads before it stops and says so. */
export const walkLimit = 10;

export interface Walked<T> {
  items: T[];
  /** True when there was more than `walkLimit` pages. */
  cut: boolean;
  /** Nodes that gave no answer in time, where a list is gathered from nodes. */
  silentNodes?: string[];
  /** How many older items are not kept any more, where a list is of the last ones. */
  dropped?: number;
}

type GatheredPage<T> = Page<T> & { silentNodes?: string[]; dropped?: number };

/** A GET that the server can paint (`meta.path`) and the browser can repeat. */
export function getQuery<T>(key: readonly unknown[], path: string) {
  return queryOptions({
    queryKey: key,
    queryFn: async ({ signal }) => (await apiRequest<T>('GET', path, { signal })).data,
    meta: { path, shape: 'plain' },
  });
}

/** As `getQuery`, keeping the ETag beside the data. */
export function versionedQuery<T>(key: readonly unknown[], path: string) {
  return queryOptions({
    queryKey: key,
    queryFn: ({ signal }) => apiRequest<T>('GET', path, { signal }),
    meta: { path, shape: 'versioned' },
  });
}

/** Reads a list to its end, so that it can be filtered and counted whole. */
export function walkQuery<T>(key: readonly unknown[], path: string) {
  return queryOptions({
    queryKey: key,
    queryFn: ({ signal }) => walkPages<T>(path, async (p) => (await apiRequest<Page<T>>('GET', p, { signal })).data),
    meta: { path, shape: 'walk' },
  });
}

export async function walkPages<T>(path: string, get: (path: string) => Promise<GatheredPage<T>>): Promise<Walked<T>> {
  const items: T[] = [];
  const silent = new Set<string>();
  let cursor: string | undefined;
  let cut = true;
  let dropped = 0;
  for (let page = 0; page < walkLimit; page += 1) {
    const answer = await get(withQuery(path, { limit: 200, cursor }));
    items.push(...answer.items);
    for (const node of answer.silentNodes ?? []) silent.add(node);
    dropped = Math.max(dropped, answer.dropped ?? 0);
    cursor = answer.nextCursor;
    if (cursor) continue;
    cut = false;
    break;
  }
  return {
    items,
    cut,
    ...(silent.size > 0 ? { silentNodes: [...silent] } : {}),
    ...(dropped > 0 ? { dropped } : {}),
  };
}
