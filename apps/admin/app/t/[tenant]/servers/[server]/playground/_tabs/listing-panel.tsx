'use client';
import type { Problem } from '@gantry/contracts';
import type { ReactNode } from 'react';
import { ProblemView } from '@/components/page/problem-callout';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { t } from '@/strings';

const text = t.playground;

interface ListingPanelProps<T> {
  /** What is listed, in the plural. */
  what: string;
  offered: boolean;
  items: T[] | undefined;
  problem: Problem | undefined;
  onRead: () => void;
  children: (items: T[]) => ReactNode;
}

/** A list of the server in all its states. */
export function ListingPanel<T>({ what, offered, items, problem, onRead, children }: ListingPanelProps<T>) {
  if (!offered) return <p className="text-muted text-sm">{text.notOffered(what)}</p>;
  const again = (
    <Button size="sm" onClick={onRead}>
      {text.refresh}
    </Button>
  );
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {problem && <ProblemView problem={problem} actions={again} />}
      {items === undefined ? (
        !problem && <Skeleton className="h-8 w-full" />
      ) : items.length === 0 ? (
        <div className="flex items-center gap-3">
          <p className="text-muted text-sm">{text.nothing(what)}</p>
          {again}
        </div>
      ) : (
        children(items)
      )}
    </div>
  );
}
