import type { Call, Page } from '@gantry/contracts';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { apiRequest } from '@/lib/api/client';
import { apiPath, withQuery } from '@/lib/api/path';
import { getQuery } from '@/lib/api/query';

export interface CallFilter {
  server?: string | null;
  tool?: string | null;
  status?: string | null;
  session?: string | null;
}

const callsPath = (tenant: string) => apiPath('tenants', tenant, 'calls');

/** The newest calls, as many as one page holds. */
export const recentCallsQuery = (tenant: string, limit: number) =>
  getQuery<Page<Call>>(['calls', tenant, 'recent', limit], withQuery(callsPath(tenant), { limit }));

/** The call log under a filter, page by page; the API filters before it pages. */
export const callsQuery = (tenant: string, filter: CallFilter) =>
  infiniteQueryOptions({
    queryKey: [
      'calls',
      tenant,
      'log',
      filter.server ?? '',
      filter.tool ?? '',
      filter.status ?? '',
      filter.session ?? '',
    ],
    queryFn: async ({ signal, pageParam }) =>
      (
        await apiRequest<Page<Call>>('GET', withQuery(callsPath(tenant), { limit: 50, ...filter, cursor: pageParam }), {
          signal,
        })
      ).data,
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
