import type { Page, Problem } from '@gantry/contracts';
import { dehydrate, HydrationBoundary, QueryClient, type QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { redirectToSignIn } from '@/lib/api/expired';
import { walkPages } from '@/lib/api/query';
import { type Result, serverGet } from '@/lib/api/server';

interface PaintableQuery {
  queryKey: QueryKey;
  meta?: Record<string, unknown>;
}

class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(problem.title);
  }
}

async function read(query: PaintableQuery): Promise<Result<unknown>> {
  const path = String(query.meta?.path);
  if (query.meta?.shape !== 'walk') return serverGet(path);
  try {
    const data = await walkPages(path, async (pagePath) => {
      const page = await serverGet<Page<unknown>>(pagePath);
      if (!page.ok) throw new Refused(page.problem);
      return page.data;
    });
    return { ok: true, data };
  } catch (error) {
    if (error instanceof Refused) return { ok: false, problem: error.problem };
    throw error;
  }
}

/**
 * Paints the first view: runs the queries on the server and hands their answers to the client components below.
 * A query that failed is left out, so that its own panel asks again and shows the failure in place.
 */
export async function Paint({ queries, children }: { queries: PaintableQuery[]; children: ReactNode }) {
  const client = new QueryClient();
  const results = await Promise.all(queries.map(read));
  if (results.some((result) => !result.ok && result.problem.status === 401)) await redirectToSignIn();
  results.forEach((result, i) => {
    const query = queries[i]!;
    if (!result.ok) return;
    const data = query.meta?.shape === 'versioned' ? { data: result.data, etag: result.etag } : result.data;
    client.setQueryData(query.queryKey, data);
  });
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>;
}
