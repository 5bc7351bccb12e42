import type { Job, JobsFrame, Page } from '@gantry/contracts';
import { describe, expect, it } from 'vitest';
import { mergeJobs } from './live';

const job = (id: string, more: Partial<Job> = {}): Job => ({
  id,
  server: 'orders',
  tool: 'report',
  status: 'running',
  face: 'task',
  attempts: 1,
  repeatable: false,
  createdAt: `2026-01-01T00:00:0${id.length}Z`,
  principal: 'anonymous',
  ...more,
});
const delta = (...upserted: Job[]): JobsFrame => ({
  kind: 'delta',
  topic: 'jobs:acme',
  number: 1,
  skipped: 0,
  upserted,
  removed: [],
});
const pages: Page<Job>[] = [{ items: [job('bb'), job('a')], nextCursor: 'more' }];
const after = (frame: JobsFrame, filter = {}) => mergeJobs(pages, frame, filter)[0]?.items;

describe('a list of jobs after a frame, which is of all jobs of the tenant', () => {
  it('shows the newest state of what is there, in its place', () => {
    const items = after(delta(job('a', { progress: 7 })));
    expect(items?.map(({ id, progress }) => [id, progress])).toEqual([
      ['bb', undefined],
      ['a', 7],
    ]);
  });

  it('takes in new ones on top, and leaves older ones to their page', () => {
    const items = after(delta(job('ccc'), job('old', { createdAt: '2020-01-01T00:00:00Z' })));
    expect(items?.map(({ id }) => id)).toEqual(['ccc', 'bb', 'a']);
  });

  it('lets go of what does not match the filter any more, and takes in none that does not', () => {
    const frame = delta(job('a', { status: 'completed' }), job('ccc', { status: 'failed', error: 'Disk full' }));
    expect(after(frame, { status: 'running' })?.map(({ id }) => id)).toEqual(['bb']);
    expect(after(frame, { q: 'disk' })?.map(({ id }) => id)).toEqual(['ccc', 'bb']);
  });
});
