import type { JobDetail } from '@gantry/contracts';
import type { ReactNode } from 'react';
import { TimeAgo } from '@/components/page/time-ago';
import { formatDuration } from '@/lib/format';
import { t } from '@/strings';

const text = t.jobs.detail;

interface Step {
  key: string;
  at: string;
  title: string;
  more?: ReactNode;
}

/** What happened to the job, from its making to its end, as a line downwards. */
export function JobCourse({ job }: { job: JobDetail }) {
  return (
    <section aria-label={text.timeline} className="min-w-0 rounded-lg border bg-surface">
      <h2 className="border-b px-4 py-2.5 font-semibold text-sm">{text.timeline}</h2>
      <ol className="px-4 py-3">
        {stepsOf(job).map(({ key, at, title, more }) => (
          <li key={key} className="relative border-l pb-4 pl-4 last:border-transparent last:pb-0">
            <span aria-hidden className="-left-[5px] absolute top-1.5 size-2.5 rounded-full border bg-surface" />
            <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
              <span className="font-medium">{title}</span>
              <span className="text-muted text-xs">
                <TimeAgo at={at} />
              </span>
            </p>
            {more && <p className="break-words text-muted text-xs">{more}</p>}
          </li>
        ))}
      </ol>
    </section>
  );
}

function stepsOf(job: JobDetail): Step[] {
  const attempts = [...job.attemptList].reverse().map((attempt): Step => {
    const { number, node, startedAt, finishedAt, outcome } = attempt;
    const took = finishedAt && formatDuration(Date.parse(finishedAt) - Date.parse(startedAt));
    const how = outcome === undefined ? text.runs : (text.outcomes[outcome] ?? outcome);
    const more = [text.on(node), how, took].filter(Boolean).join(' · ');
    return { key: `attempt ${number}`, at: startedAt, title: text.attempt(number), more };
  });
  const waits = job.position === undefined ? undefined : t.jobs.place(job.position);
  const steps: Step[] = [{ key: 'created', at: job.createdAt, title: text.created, more: waits }, ...attempts];
  if (job.finishedAt !== undefined) {
    steps.push({ key: 'ended', at: job.finishedAt, title: text.ended, more: t.jobs.statuses[job.status] });
  }
  return steps;
}
