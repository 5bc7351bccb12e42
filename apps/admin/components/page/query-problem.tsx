'use client';
import type { UseQueryResult } from '@tanstack/react-query';
import { ProblemCallout } from '@/components/page/problem-callout';
import { Button } from '@/components/ui/button';
import { t } from '@/strings';

/** Why a panel could not be read, in that panel, with a way to try again. Nothing while it could. */
export function QueryProblem({
  query,
}: {
  query: Pick<UseQueryResult, 'isError' | 'error' | 'refetch' | 'isFetching'>;
}) {
  if (!query.isError) return null;
  return (
    <ProblemCallout
      error={query.error}
      title={t.common.somethingFailed}
      actions={
        <Button size="sm" onClick={() => query.refetch()} disabled={query.isFetching}>
          {t.common.retry}
        </Button>
      }
    />
  );
}
