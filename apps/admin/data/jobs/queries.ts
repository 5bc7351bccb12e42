import type { Job, JobDetail, JobQueue, Page } from '@gantry/contracts';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { apiRequest } from '@/lib/api/client';
import { apiPath, withQuery } from '@/lib/api/path';
import { getQuery } from '@/lib/api/query';
import { type JobFilter, jobKeys } from './keys';

const jobsPath = (tenant: string) => apiPath('tenants', tenant, 'jobs');

/** Jobs under a filter, page by page; the API filters and searches before it pages. */
export const jobsQuery = (tenant: string, filter: JobFilter) =>
  infiniteQueryOptions({
    queryKey: jobKeys.list(tenant, filter),
    queryFn: async ({ signal, pageParam }) => {
      const path = withQuery(jobsPath(tenant), { limit: 50, ...filter, cursor: pageParam });
      return (await apiRequest<Page<Job>>('GET', path, { signal })).data;
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });

export const jobQuery = (tenant: string, id: string) =>
  getQuery<JobDetail>(jobKeys.one(tenant, id), apiPath('tenants', tenant, 'jobs', id));

export const jobQueueQuery = (tenant: string) =>
  getQuery<JobQueue>(jobKeys.queue(tenant), apiPath('tenants', tenant, 'job-queue'));
