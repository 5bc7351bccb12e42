'use client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { debounce, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { JobsTable } from '@/components/jobs/jobs-table';
import { NothingMatches, NothingYet } from '@/components/page/empty-state';
import { LivePill } from '@/components/page/live-pill';
import { PageHeader } from '@/components/page/page-header';
import { QueryPanel } from '@/components/page/query-panel';
import { QueryProblem } from '@/components/page/query-problem';
import { SearchBox } from '@/components/table/search-box';
import { Button } from '@/components/ui/button';
import { Select } from '@/components/ui/input';
import { TableSkeleton } from '@/components/ui/skeleton';
import { useLiveJobs } from '@/data/jobs/live';
import { jobQueueQuery, jobsQuery } from '@/data/jobs/queries';
import { serversQuery } from '@/data/servers/queries';
import { t } from '@/strings';
import { QueuePanel } from './queue-panel';

const text = t.jobs;
const statuses = ['queued', 'running', 'input_required', 'completed', 'failed', 'cancelled', 'unknown'] as const;

export function JobsScreen({ tenant }: { tenant: string }) {
  const [url, setUrl] = useQueryStates({
    server: parseAsString,
    tool: parseAsString,
    status: parseAsStringLiteral(statuses),
    q: parseAsString,
  });
  const { refetchInterval } = useLiveJobs(tenant, url);
  const servers = useQuery(serversQuery(tenant)).data?.items ?? [];
  const queue = useQuery({ ...jobQueueQuery(tenant), refetchInterval });
  const query = useInfiniteQuery({ ...jobsQuery(tenant, url), refetchInterval, placeholderData: (before) => before });
  const items = query.data?.pages.flatMap((page) => page.items);
  const filters = [url.server, url.tool, url.status && text.statuses[url.status], url.q && `“${url.q}”`].filter(
    (part): part is string => Boolean(part),
  );
  return (
    <div className="flex flex-col gap-5">
      <PageHeader title={text.title} description={text.hint} actions={<LivePill />} />
      <QueryPanel query={queue} skeleton={null}>
        {(figures) => <QueuePanel queue={figures} />}
      </QueryPanel>
      <div className="flex flex-wrap items-center gap-2">
        <SearchBox
          label={text.search}
          value={url.q ?? ''}
          onChange={(q) => setUrl({ q: q || null }, { limitUrlUpdates: q ? debounce(250) : undefined })}
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
          className="w-40"
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
      </div>
      <QueryProblem query={query} />
      {!items ? (
        !query.isError && <TableSkeleton />
      ) : items.length > 0 ? (
        <JobsTable tenant={tenant} items={items} />
      ) : filters.length > 0 ? (
        <NothingMatches filters={filters} onClear={() => setUrl({ server: null, tool: null, status: null, q: null })} />
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
