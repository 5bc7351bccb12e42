import type { ReactNode } from 'react';

/** Name, value, and what the name means. */
export type FactRow = readonly [label: string, value: ReactNode, hint?: string];

/** A card of facts, one a line. */
export function FactList({ title, rows }: { title: string; rows: readonly FactRow[] }) {
  return (
    <section aria-label={title} className="min-w-0 rounded-lg border bg-surface">
      <h2 className="border-b px-4 py-2.5 font-semibold text-sm">{title}</h2>
      <dl className="px-4 py-1">
        {rows.map(([label, value, hint]) => (
          <div
            key={label}
            className="flex min-h-8 items-baseline justify-between gap-4 border-b py-1.5 last:border-b-0"
          >
            <dt className="shrink-0 text-muted text-sm" title={hint}>
              {label}
            </dt>
            <dd className="min-w-0 break-words text-right text-sm tabular-nums [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
