import type { Job } from '@gantry/contracts';
import { Badge } from '@/components/ui/badge';
import { t } from '@/strings';

const tones = {
  queued: 'neutral',
  running: 'info',
  input_required: 'warn',
  completed: 'ok',
  failed: 'danger',
  cancelled: 'neutral',
  unknown: 'danger',
} as const;

export function JobBadge({ status }: Pick<Job, 'status'>) {
  return <Badge tone={tones[status]}>{t.jobs.statuses[status]}</Badge>;
}
