'use client';
import type { JobDetail } from '@gantry/contracts';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { useCancelJob, useRetryJob } from '@/data/jobs/mutations';
import { t } from '@/strings';

const text = t.jobs.detail;

/** Cancel while the job is open, run again when it is over; each after a confirmation that says what it does. */
export function JobActions({ tenant, job, mayRetry }: { tenant: string; job: JobDetail; mayRetry: boolean }) {
  const [open, setOpen] = useState(false);
  const router = useRouter();
  const cancel = useCancelJob(tenant);
  const retry = useRetryJob(tenant);
  const over = job.finishedAt !== undefined;
  if (over && !mayRetry) return null;
  return (
    <>
      <Button variant={over ? 'secondary' : 'danger-quiet'} onClick={() => setOpen(true)}>
        {over ? text.retry : text.cancel}
      </Button>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={over ? text.retryTitle(job.tool) : text.cancelTitle(job.tool)}
        action={over ? text.retry : text.cancel}
        onConfirm={async () => {
          if (!over) return cancel.mutateAsync(job.id);
          const made = await retry.mutateAsync(job.id);
          router.push(`/t/${tenant}/jobs/${encodeURIComponent(made.id)}`);
        }}
      >
        <p>{over ? text.retryText : text.cancelText}</p>
      </ConfirmDialog>
    </>
  );
}
