'use client';
import type { JobDetail } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { JobBadge } from '@/components/jobs/job-badge';
import { JobProgress } from '@/components/jobs/job-progress';
import { FactList } from '@/components/page/fact-list';
import { LivePill } from '@/components/page/live-pill';
import { PageHeader } from '@/components/page/page-header';
import { QueryProblem } from '@/components/page/query-problem';
import { TimeAgo } from '@/components/page/time-ago';
import { Callout } from '@/components/ui/callout';
import { CodeBlock } from '@/components/ui/code-block';
import { PageSkeleton } from '@/components/ui/skeleton';
import { useLiveJob } from '@/data/jobs/live';
import { jobQuery } from '@/data/jobs/queries';
import { may, tenantQuery } from '@/data/tenants/queries';
import { problemOf } from '@/lib/api/problem';
import { t } from '@/strings';
import { JobActions } from './job-actions';
import { JobCourse } from './job-course';

const text = t.jobs.detail;

export function JobScreen({ tenant, id }: { tenant: string; id: string }) {
  const { refetchInterval } = useLiveJob(tenant, id);
  const query = useQuery({ ...jobQuery(tenant, id), refetchInterval });
  const member = useQuery(tenantQuery(tenant)).data;
  const job = query.data;
  const unknown = query.isError && problemOf(query.error).status === 404;
  const mayAct = job?.finishedAt === undefined ? may(member, 'sessions:end') : may(member, 'tools:try');
  return (
    <div className="flex flex-col gap-5">
      <nav aria-label={t.shell.breadcrumb} className="text-muted text-sm">
        <Link href={`/t/${tenant}/jobs`} className="hover:text-text hover:underline">
          {text.back}
        </Link>
      </nav>
      <PageHeader
        title={job?.tool ?? text.title}
        facts={job && <JobBadge status={job.status} />}
        actions={
          <>
            {job && job.finishedAt === undefined && <LivePill />}
            {job && mayAct && <JobActions tenant={tenant} job={job} mayRetry={may(member, 'tools:try')} />}
          </>
        }
      />
      {!unknown && <QueryProblem query={query} />}
      {job ? (
        <JobBody tenant={tenant} job={job} />
      ) : unknown ? (
        <Callout tone="info" title={text.unknown}>
          {text.unknownText}
        </Callout>
      ) : (
        !query.isError && <PageSkeleton />
      )}
    </div>
  );
}

function JobBody({ tenant, job }: { tenant: string; job: JobDetail }) {
  const questions = Object.entries(job.questions ?? {});
  return (
    <>
      {job.error && (
        <Callout tone="danger" title={text.error}>
          {job.error}
        </Callout>
      )}
      {questions.length > 0 && (
        <Callout tone="warn" title={text.questions}>
          <ul>
            {questions.map(([key, { method, message }]) => (
              <li key={key}>{message ?? method}</li>
            ))}
          </ul>
        </Callout>
      )}
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <JobCourse job={job} />
        <JobFacts tenant={tenant} job={job} />
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Value title={text.arguments} value={job.arguments} withheld={job.payloads === 'withheld'} />
        <Value title={text.result} value={job.result} withheld={job.payloads === 'withheld'} />
      </div>
    </>
  );
}

function JobFacts({ tenant, job }: { tenant: string; job: JobDetail }) {
  const rows: (readonly [string, ReactNode] | false)[] = [
    [text.progress, <JobProgress key="progress" job={job} />],
    [
      t.jobs.server,
      <Link key="server" className="hover:underline" href={`/t/${tenant}/servers/${job.server}`}>
        {job.server}
      </Link>,
    ],
    [text.face, `${text.faces[job.face]} · ${job.revision ?? '–'}`],
    [text.principal, job.principal],
    job.client !== undefined && [text.client, job.client],
    job.sessionId !== undefined && [
      text.session,
      <Link
        key="session"
        className="hover:underline"
        href={`/t/${tenant}/sessions/${encodeURIComponent(job.sessionId)}`}
      >
        {job.sessionId}
      </Link>,
    ],
    [text.repeatable, job.repeatable ? text.yes : text.no],
    [text.node, job.node ?? '–'],
    job.idempotencyKey !== undefined && [text.key, job.idempotencyKey],
    job.expiresAt !== undefined && [text.expires, <TimeAgo key="expires" at={job.expiresAt} />],
    [
      text.id,
      <span key="id" className="font-mono text-xs">
        {job.id}
      </span>,
    ],
  ];
  return <FactList title={text.facts} rows={rows.filter((row) => row !== false)} />;
}

function Value({ title, value, withheld }: { title: string; value: unknown; withheld: boolean }) {
  return (
    <section className="min-w-0 rounded-lg border bg-surface">
      <h2 className="border-b px-4 py-2.5 font-semibold text-sm">{title}</h2>
      <div className="p-3">
        {value === undefined ? (
          <p className="text-muted text-sm">{withheld ? text.withheld : text.none}</p>
        ) : (
          <CodeBlock label={title} className="max-h-96" wrap>
            {JSON.stringify(value, null, 2)}
          </CodeBlock>
        )}
      </div>
    </section>
  );
}
