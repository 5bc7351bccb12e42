'use client';
import type { JobQueue } from '@gantry/contracts';
import { TimeAgo } from '@/components/page/time-ago';
import { Callout } from '@/components/ui/callout';
import { formatDuration } from '@/lib/format';
import { t } from '@/strings';

const text = t.jobs.queue;

/** The queue in figures, and a word when nobody takes jobs. */
export function QueuePanel({ queue }: { queue: JobQueue }) {
  const duration = (ms: number | undefined) => (ms === undefined ? '–' : formatDuration(ms));
  const facts = [
    [text.waiting, queue.queued],
    [text.running, queue.running],
    [text.input, queue.inputRequired],
    [text.oldest, queue.oldestWaitingAt ? <TimeAgo key="oldest" at={queue.oldestWaitingAt} /> : '–'],
    [text.wait, duration(queue.waitP95Ms)],
    [text.run, duration(queue.runP95Ms)],
    [text.lastHour, text.ends(queue.completed, queue.failed + queue.unknown)],
    [text.workers, text.slots(queue.workers, queue.slots)],
  ] as const;
  return (
    <div className="flex flex-col gap-3">
      {queue.workers === 0 && (
        <Callout tone="warn" role="status" title={text.none}>
          {text.noneText}
        </Callout>
      )}
      <section aria-label={text.title} className="rounded-lg border bg-surface px-4 py-3">
        <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-4">
          {facts.map(([label, value]) => (
            <div key={label} className="min-w-0">
              <dt className="truncate text-muted text-xs">{label}</dt>
              <dd className="truncate font-medium text-sm tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  );
}
