import type { ReactNode } from 'react';

/** One group of fields of a tab. */
export function Section({
  title,
  hint,
  aside,
  children,
}: {
  title: string;
  hint?: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="flex flex-col gap-3 border-t pt-4 first:border-t-0 first:pt-0">
      <header className="flex items-baseline justify-between gap-4">
        <div>
          <h2 className="font-semibold text-base">{title}</h2>
          {hint && <p className="text-muted text-xs">{hint}</p>}
        </div>
        {aside}
      </header>
      {children}
    </section>
  );
}
