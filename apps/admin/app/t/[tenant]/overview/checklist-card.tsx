import { Circle, CircleCheck } from 'lucide-react';
import Link from 'next/link';
import { cn } from '@/components/cn';
import { Button } from '@/components/ui/button';
import { t } from '@/strings';
import type { Step } from './checklist';

const text = t.servers.overview;

/** The onboarding list; it leaves once everything on it is done. */
export function ChecklistCard({ steps }: { steps: Step[] }) {
  const done = steps.filter((step) => step.done).length;
  const next = steps.find((step) => !step.done);
  return (
    <section aria-labelledby="checklist" className="rounded-lg border bg-surface">
      <header className="flex items-baseline justify-between gap-4 border-b px-4 py-3">
        <h2 id="checklist" className="font-semibold text-base">
          {text.steps}
        </h2>
        <p className="shrink-0 text-muted text-xs tabular-nums">{text.done(done, steps.length)}</p>
      </header>
      <ol>
        {steps.map((step) => {
          const [title, hint] = text.step[step.name];
          const Icon = step.done ? CircleCheck : Circle;
          return (
            <li key={step.name} className="flex items-center gap-3 border-b px-4 py-2.5 last:border-b-0">
              <Icon className={cn('size-4 shrink-0', step.done ? 'text-ok' : 'text-muted')} aria-hidden />
              <span className="sr-only">{step.done ? text.stepDone : text.stepOpen}:</span>
              <div className="min-w-0 flex-1">
                <p
                  className={cn(
                    'text-sm',
                    step.done ? 'text-muted line-through decoration-line-strong' : 'font-medium',
                  )}
                >
                  {title}
                </p>
                {!step.done && <p className="text-muted text-xs">{hint}</p>}
              </div>
              {!step.done && (
                <Button asChild size="sm" variant={step === next ? 'primary' : 'secondary'}>
                  <Link href={step.href} aria-label={`${text.start}: ${title}`}>
                    {text.start}
                  </Link>
                </Button>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
