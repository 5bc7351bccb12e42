import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { t } from '@/strings';

interface NothingYetProps {
  title: string;
  /** What this is, in one or two sentences. */
  children: ReactNode;
  action?: ReactNode;
  example?: ReactNode;
}

/** Nothing exists yet: what this is, one button, one example. */
export function NothingYet({ title, children, action, example }: NothingYetProps) {
  return (
    <section className="flex flex-col items-start gap-3 rounded-lg border border-dashed bg-surface px-6 py-8">
      <h2 className="font-semibold text-base">{title}</h2>
      <div className="max-w-xl text-muted text-sm">{children}</div>
      {example}
      {action}
    </section>
  );
}

/** Something exists, but the filters hide all of it. */
export function NothingMatches({ filters, onClear }: { filters: string[]; onClear: () => void }) {
  return (
    <section
      className="flex flex-col items-start gap-2 rounded-lg border border-dashed bg-surface px-6 py-8"
      role="status"
    >
      <h2 className="font-semibold text-base">{t.common.nothingMatches}</h2>
      <p className="text-muted text-sm">{t.common.activeFilters(filters.join(', '))}</p>
      <Button size="sm" onClick={onClear}>
        {t.common.clear}
      </Button>
    </section>
  );
}

/** The reader may not see it: who can grant it. */
export function NothingToSee({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col items-start gap-2 rounded-lg border bg-sunken px-6 py-8">
      <h2 className="font-semibold text-base">{title}</h2>
      <p className="max-w-xl text-muted text-sm">{children}</p>
    </section>
  );
}
