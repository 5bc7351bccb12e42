import type { Job } from '@gantry/contracts';
import { t } from '@/strings';

/** How far a job has come: a bar where it says of how much, else the number alone; its place while it waits. */
export function JobProgress({ job }: { job: Pick<Job, 'tool' | 'progress' | 'total' | 'position'> }) {
  const { tool, progress, total, position } = job;
  if (position !== undefined) return <span className="text-muted text-xs">{t.jobs.place(position)}</span>;
  if (progress === undefined) return <span className="text-muted">–</span>;
  if (total === undefined || total <= 0) return <span className="font-mono text-xs">{progress}</span>;
  const part = Math.min(1, Math.max(0, progress / total));
  return (
    <span className="inline-flex items-center gap-2">
      <span
        role="progressbar"
        aria-label={t.jobs.percent(tool)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(part * 100)}
        className="h-1.5 w-20 overflow-hidden rounded-full bg-line"
      >
        <span className="block h-full bg-accent" style={{ width: `${part * 100}%` }} />
      </span>
      <span className="font-mono text-muted text-xs tabular-nums">{Math.round(part * 100)} %</span>
    </span>
  );
}
