'use client';
import type { Job } from '@gantry/contracts';
import Link from 'next/link';
import { TimeAgo } from '@/components/page/time-ago';
import { Table, Td, Th, Tr } from '@/components/table/table';
import { formatDuration } from '@/lib/format';
import { t } from '@/strings';
import { JobBadge } from './job-badge';
import { JobProgress } from './job-progress';

const text = t.jobs;

export function JobsTable({ tenant, items }: { tenant: string; items: readonly Job[] }) {
  return (
    <Table
      caption={text.caption}
      minWidth="min-w-[820px]"
      head={
        <>
          <Th>{text.columns.when}</Th>
          <Th>{text.columns.status}</Th>
          <Th>{text.columns.tool}</Th>
          <Th>{text.columns.progress}</Th>
          <Th align="right">{text.columns.attempts}</Th>
          <Th align="right">{text.columns.ran}</Th>
          <Th>{text.columns.node}</Th>
        </>
      }
    >
      {items.map((job) => (
        <Tr key={job.id}>
          <Td className="text-muted">
            <TimeAgo at={job.createdAt} />
          </Td>
          <Td>
            <JobBadge status={job.status} />
          </Td>
          <Td className="max-w-80">
            <Link
              className="font-mono text-xs hover:text-accent-text hover:underline"
              href={`/t/${tenant}/jobs/${encodeURIComponent(job.id)}`}
            >
              {job.tool}
            </Link>
            <span className="ml-2 font-mono text-muted text-xs">{job.server}</span>
            {job.error && <p className="truncate text-danger text-xs">{job.error}</p>}
          </Td>
          <Td>
            <JobProgress job={job} />
          </Td>
          <Td align="right" className="font-mono text-xs">
            {job.attempts}
          </Td>
          <Td align="right" className="font-mono text-xs">
            {ran(job)}
          </Td>
          <Td className="max-w-32 truncate font-mono text-muted text-xs">{job.node ?? '–'}</Td>
        </Tr>
      ))}
    </Table>
  );
}

function ran({ startedAt, finishedAt }: Job): string {
  if (startedAt === undefined || finishedAt === undefined) return '–';
  return formatDuration(Date.parse(finishedAt) - Date.parse(startedAt));
}
