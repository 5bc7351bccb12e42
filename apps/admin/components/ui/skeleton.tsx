import { cn } from '@/components/cn';
import { t } from '@/strings';

export function Skeleton({ className }: { className?: string }) {
  return <div className={cn('animate-late rounded-sm bg-hover', className)} aria-hidden />;
}

/** The final geometry of a table: a head and rows of 36 px. */
export function TableSkeleton({ rows = 6 }: { rows?: number }) {
  return (
    <div role="status" aria-label={t.common.loading} className="overflow-hidden rounded-lg border bg-surface">
      <div className="h-9 border-b bg-sunken" />
      {Array.from({ length: rows }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move
        <div key={i} className="flex h-9 items-center gap-6 border-b px-3 last:border-b-0">
          <Skeleton className="h-3 w-40" />
          <Skeleton className="h-3 flex-1" />
          <Skeleton className="h-3 w-16" />
        </div>
      ))}
    </div>
  );
}

export function PageSkeleton() {
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-col gap-2">
        <Skeleton className="h-6 w-48" />
        <Skeleton className="h-4 w-80" />
      </div>
      <TableSkeleton />
    </div>
  );
}
