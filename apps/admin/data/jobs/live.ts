'use client';
import type { Job, JobsFrame, Page } from '@gantry/contracts';
import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { usePolling, useTopic } from '@/lib/live/use-live';
import { type JobFilter, jobKeys } from './keys';

/** Keeps the filtered list and the queue's figures as the stream tells of jobs. */
export function useLiveJobs(tenant: string, filter: JobFilter): { refetchInterval: number | false } {
  const client = useQueryClient();
  useTopic(`jobs:${tenant}`, (frame) => {
    client.setQueryData<InfiniteData<Page<Job>>>(
      jobKeys.list(tenant, filter),
      (before) => before && { ...before, pages: mergeJobs(before.pages, frame as JobsFrame, filter) },
    );
    void client.invalidateQueries({ queryKey: jobKeys.queue(tenant) });
  });
  return { refetchInterval: usePolling() };
}

/** Reads one job again each time that the stream tells of it. */
export function useLiveJob(tenant: string, id: string): { refetchInterval: number | false } {
  const client = useQueryClient();
  useTopic(`jobs:${tenant}`, (frame) => {
    const jobs = frame as JobsFrame;
    const told = jobs.kind === 'snapshot' ? jobs.items : jobs.upserted;
    if (told.some((job) => job.id === id)) void client.invalidateQueries({ queryKey: jobKeys.one(tenant, id) });
  });
  return { refetchInterval: usePolling() };
}

/** Pages after a frame, which is of all jobs: known ones in their places, new ones that match on top of the first. */
export function mergeJobs(pages: readonly Page<Job>[], frame: JobsFrame, filter: JobFilter): Page<Job>[] {
  const fresh = new Map((frame.kind === 'snapshot' ? frame.items : frame.upserted).map((job) => [job.id, job]));
  const merged = pages.map((page) => ({
    ...page,
    items: page.items.flatMap((job) => {
      const next = fresh.get(job.id);
      fresh.delete(job.id);
      if (next === undefined) return [job];
      return matches(next, filter) ? [next] : [];
    }),
  }));
  const [first, ...rest] = merged;
  if (first === undefined) return merged;
  const newest = first.items[0]?.createdAt ?? '';
  const added = [...fresh.values()].filter((job) => job.createdAt >= newest && matches(job, filter));
  added.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  return [{ ...first, items: [...added, ...first.items] }, ...rest];
}

function matches(job: Job, { server, tool, status, q }: JobFilter): boolean {
  const wanted = q?.toLowerCase();
  const found = [job.id, job.tool, job.error ?? ''].some((text) => text.toLowerCase().includes(wanted ?? ''));
  return (
    (!server || job.server === server) && (!tool || job.tool === tool) && (!status || job.status === status) && found
  );
}
