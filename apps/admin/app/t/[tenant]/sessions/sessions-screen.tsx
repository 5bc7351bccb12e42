'use client';
import type { Session } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useMemo, useState } from 'react';
import { NothingMatches, NothingYet } from '@/components/page/empty-state';
import { LivePill } from '@/components/page/live-pill';
import { PageHeader } from '@/components/page/page-header';
import { QueryPanel } from '@/components/page/query-panel';
import { SilentNodes } from '@/components/sessions/silent-nodes';
import { useHeldRows, useHold } from '@/components/table/held-rows';
import { parseSort, sortBy } from '@/components/table/sorting';
import { Button } from '@/components/ui/button';
import { apiKeysQuery } from '@/data/keys/queries';
import { useLiveSessions } from '@/data/sessions/live';
import { sessionsQuery } from '@/data/sessions/queries';
import { may, tenantQuery } from '@/data/tenants/queries';
import type { Walked } from '@/lib/api/query';
import { t } from '@/strings';
import { SessionFilters } from './session-filters';
import { columns, SessionsTable, sortable } from './sessions-table';
import { useSessionUrl } from './use-session-url';

const text = t.sessions;

/** How many rows are drawn at first, and more at a time. */
const pageRows = 100;

export function SessionsScreen({ tenant }: { tenant: string }) {
  const url = useSessionUrl();
  const { refetchInterval } = useLiveSessions(tenant, url.filter);
  const query = useQuery({
    ...sessionsQuery(tenant, url.filter),
    refetchInterval,
    placeholderData: (before) => before,
  });
  const list = JSON.stringify([url.filter, url.sort, query.isPlaceholderData]);
  return (
    <div className="flex flex-col gap-5">
      <PageHeader title={text.title} description={text.hint} actions={<LivePill />} />
      <SessionFilters tenant={tenant} url={url} items={query.data?.items ?? []} />
      <QueryPanel query={query}>
        {(data) => <SessionRows tenant={tenant} data={data} url={url} list={list} />}
      </QueryPanel>
    </div>
  );
}

interface SessionRowsProps {
  tenant: string;
  data: Walked<Session>;
  url: ReturnType<typeof useSessionUrl>;
  /** Names what the reader asked for, so that rows held still give way to others. */
  list: string;
}

function SessionRows({ tenant, data, url, list }: SessionRowsProps) {
  const { filter } = url;
  const mayReadKeys = may(useQuery(tenantQuery(tenant)).data, 'keys:read');
  const keys = useQuery({ ...apiKeysQuery(tenant), enabled: mayReadKeys }).data?.items;
  const [limit, setLimit] = useState(pageRows);
  const { held, handlers } = useHold();
  const sorted = useMemo(() => {
    const { column, desc } = parseSort(url.sort, columns, 'started');
    return sortBy(data.items, sortable[column], desc);
  }, [data.items, url.sort]);
  const { shown, waiting, show } = useHeldRows(sorted, held, list);
  const filters = [
    filter.q && `“${filter.q}”`,
    filter.client,
    filter.era && text.eras[filter.era],
    filter.state && text.states[filter.state],
    filter.server,
    filter.node,
  ].filter((part): part is string => Boolean(part));

  return (
    <>
      {data.silentNodes && <SilentNodes nodes={data.silentNodes} />}
      {data.cut && <p className="text-muted text-xs">{text.cut(data.items.length)}</p>}
      {shown.length === 0 && waiting === 0 ? (
        filters.length > 0 ? (
          <NothingMatches filters={filters} onClear={url.clear} />
        ) : (
          <Nobody tenant={tenant} />
        )
      ) : (
        <>
          <div className="flex min-h-7 items-center justify-between gap-3">
            <p className="text-muted text-xs tabular-nums" aria-live="polite">
              {data.items.length} {text.counted[data.items.length === 1 ? 0 : 1]}
            </p>
            {waiting > 0 && (
              <Button size="sm" onClick={show}>
                {t.live.showNew(waiting)}
              </Button>
            )}
          </div>
          <SessionsTable
            tenant={tenant}
            rows={shown.slice(0, limit)}
            keys={keys}
            sort={url.sort}
            onSort={(sort) => url.setUrl({ sort })}
            {...handlers}
          />
          {shown.length > limit && (
            <Button className="self-center" onClick={() => setLimit(limit + pageRows)}>
              {t.common.loadMore}
            </Button>
          )}
        </>
      )}
    </>
  );
}

function Nobody({ tenant }: { tenant: string }) {
  return (
    <NothingYet
      title={text.empty}
      action={
        <Button asChild>
          <Link href={`/t/${tenant}/servers`}>{text.emptyAction}</Link>
        </Button>
      }
      example={<p className="text-muted text-sm">{text.emptyExample}</p>}
    >
      {text.emptyText}
    </NothingYet>
  );
}
