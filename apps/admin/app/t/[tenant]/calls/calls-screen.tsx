'use client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { RefreshCw, X } from 'lucide-react';
import Link from 'next/link';
import { debounce, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { CallsTable } from '@/components/calls/calls-table';
import { NothingMatches, NothingYet } from '@/components/page/empty-state';
import { PageHeader } from '@/components/page/page-header';
import { QueryProblem } from '@/components/page/query-problem';
import { SearchBox } from '@/components/table/search-box';
import { Button } from '@/components/ui/button';
import { Select } from '@/components/ui/input';
import { TableSkeleton } from '@/components/ui/skeleton';
import { callsQuery } from '@/data/calls/queries';
import { serversQuery } from '@/data/servers/queries';
import { t } from '@/strings';

const text = t.access.calls;
const statuses = ['ok', 'tool_error', 'error', 'cancelled', 'refused'] as const;

export function CallsScreen({ tenant }: { tenant: string }) {
  const [url, setUrl] = useQueryStates({
    server: parseAsString,
    tool: parseAsString,
    status: parseAsStringLiteral(statuses),
    session: parseAsString,
  });
  const servers = useQuery(serversQuery(tenant)).data?.items ?? [];
  const query = useInfiniteQuery({ ...callsQuery(tenant, url), placeholderData: (before) => before });
  const items = query.data?.pages.flatMap((page) => page.items);
  const filters = [
    url.server,
    url.tool && `“${url.tool}”`,
    url.status && text.statuses[url.status],
    url.session && text.ofSession(url.session),
  ].filter((part): part is string => Boolean(part));
  return (
    <div className="flex flex-col gap-5">
      <PageHeader
        title={text.title}
        description={text.hint}
        actions={
          <Button onClick={() => query.refetch()} disabled={query.isFetching}>
            <RefreshCw /> {text.refresh}
          </Button>
        }
      />
      <div className="flex flex-wrap items-center gap-2">
        <SearchBox
          label={text.toolFilter}
          value={url.tool ?? ''}
          onChange={(tool) => setUrl({ tool: tool || null }, { limitUrlUpdates: tool ? debounce(250) : undefined })}
        />
        <Select
          className="w-40"
          aria-label={text.server}
          value={url.server ?? ''}
          onChange={(event) => setUrl({ server: event.target.value || null })}
        >
          <option value="">{text.anyServer}</option>
          {servers.map((server) => (
            <option key={server.slug} value={server.slug}>
              {server.name}
            </option>
          ))}
        </Select>
        <Select
          className="w-36"
          aria-label={text.status}
          value={url.status ?? ''}
          onChange={(event) => setUrl({ status: (event.target.value || null) as typeof url.status })}
        >
          <option value="">{text.anyStatus}</option>
          {statuses.map((status) => (
            <option key={status} value={status}>
              {text.statuses[status]}
            </option>
          ))}
        </Select>
        {url.session && (
          <Button size="sm" variant="ghost" title={url.session} onClick={() => setUrl({ session: null })}>
            <X /> <span className="max-w-60 truncate">{text.ofSession(url.session)}</span>
          </Button>
        )}
      </div>
      <QueryProblem query={query} />
      {!items ? (
        !query.isError && <TableSkeleton />
      ) : items.length > 0 ? (
        <CallsTable tenant={tenant} items={items} />
      ) : filters.length > 0 ? (
        <NothingMatches
          filters={filters}
          onClear={() => setUrl({ server: null, tool: null, status: null, session: null })}
        />
      ) : (
        <NothingYet
          title={text.empty}
          action={
            <Button asChild>
              <Link href={`/t/${tenant}/servers`}>{text.emptyAction}</Link>
            </Button>
          }
        >
          {text.emptyText}
        </NothingYet>
      )}
      {query.hasNextPage && (
        <Button className="self-center" onClick={() => query.fetchNextPage()} disabled={query.isFetchingNextPage}>
          {t.common.loadMore}
        </Button>
      )}
    </div>
  );
}
