'use client';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ProblemCallout } from '@/components/page/problem-callout';
import { Button } from '@/components/ui/button';
import { TableSkeleton } from '@/components/ui/skeleton';
import { t } from '@/strings';

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
  const retry = (
    <Button size="sm" onClick={() => query.refetch()} disabled={query.isFetching}>
      {t.common.retry}
    </Button>
  );
  if (query.data === undefined) {
    if (query.isError) return <ProblemCallout error={query.error} title={t.common.somethingFailed} actions={retry} />;
    return skeleton ?? <TableSkeleton />;
  }
  return (
    <div className="flex flex-col gap-3">
      {query.isError && <ProblemCallout error={query.error} title={t.common.somethingFailed} actions={retry} />}
      {children(query.data)}
    </div>
  );
}
