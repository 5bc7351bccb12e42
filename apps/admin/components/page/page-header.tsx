import type { ReactNode } from 'react';

interface PageHeaderProps {
  title: ReactNode;
  /** Badges and facts that stand beside the title. */
  facts?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
}

/** The one h1 of a page, one line on what the page is, and its actions. */
export function PageHeader({ title, facts, description, actions }: PageHeaderProps) {
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 sm:flex-nowrap">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <h1 className="min-w-0 break-words font-semibold text-xl leading-7 tracking-tight">{title}</h1>
          {facts}
        </div>
        {description && <p className="mt-0.5 max-w-2xl text-muted text-sm">{description}</p>}
      </div>
      {actions && <div className="flex shrink-0 flex-wrap items-center gap-2">{actions}</div>}
    </header>
  );
}
