'use client';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { QueryProblem } from '@/components/page/query-problem';
import { TableSkeleton } from '@/components/ui/skeleton';

interface QueryPanelProps<T> {
  query: UseQueryResult<T>;
  skeleton?: ReactNode;
  children: (data: T) => ReactNode;
}

/**
 * One panel's loading, error and content. Old data stays on screen during a refetch, and also when it fails;
 * other panels live on.
 */
export function QueryPanel<T>({ query, skeleton, children }: QueryPanelProps<T>) {
  if (query.data === undefined) {
    if (query.isError) return <QueryProblem query={query} />;
    return skeleton ?? <TableSkeleton />;
  }
  return (
    <div className="flex flex-col gap-3">
      <QueryProblem query={query} />
      {children(query.data)}
    </div>
  );
}
