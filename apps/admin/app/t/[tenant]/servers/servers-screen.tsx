'use client';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import Link from 'next/link';
import { parseAsString, useQueryStates } from 'nuqs';
import { NothingMatches, NothingToSee, NothingYet } from '@/components/page/empty-state';
import { PageHeader } from '@/components/page/page-header';
import { QueryPanel } from '@/components/page/query-panel';
import { ServersTable, serverColumns } from '@/components/servers/servers-table';
import { SearchBox } from '@/components/table/search-box';
import { parseSort, sortBy, toggleSort } from '@/components/table/sorting';
import { Th } from '@/components/table/table';
import { Button } from '@/components/ui/button';
import { serversQuery } from '@/data/servers/queries';
import { may, tenantQuery } from '@/data/tenants/queries';
import { t } from '@/strings';

const text = t.servers.list;

export function ServersScreen({ tenant }: { tenant: string }) {
  const mayWrite = may(useQuery(tenantQuery(tenant)).data, 'servers:write');
  const query = useQuery(serversQuery(tenant));
  const [url, setUrl] = useQueryStates({ q: parseAsString.withDefault(''), sort: parseAsString.withDefault('name') });
  const sort = parseSort(url.sort, serverColumns, 'name');
  const create = mayWrite && (
    <Button asChild variant="primary">
      <Link href={`/t/${tenant}/servers/new`}>
        <Plus /> {text.create}
      </Link>
    </Button>
  );
  return (
    <div className="flex flex-col gap-5">
      <PageHeader title={text.title} description={text.hint} actions={create} />
      <QueryPanel query={query}>
        {({ items }) => {
          if (items.length === 0) {
            if (!mayWrite) return <NothingToSee title={text.empty}>{text.readOnly}</NothingToSee>;
            return (
              <NothingYet
                title={text.empty}
                action={create}
                example={<p className="text-muted text-sm">{text.emptyExample}</p>}
              >
                {text.emptyText}
              </NothingYet>
            );
          }
          const needle = url.q.toLowerCase();
          const found = items.filter((server) => `${server.name} ${server.slug}`.toLowerCase().includes(needle));
          const rows = sortBy(
            found,
            (server) => (sort.column === 'updated' ? server.updatedAt : server[sort.column]),
            sort.desc,
          );
          return (
            <>
              <SearchBox label={text.searchLabel} value={url.q} onChange={(q) => setUrl({ q: q || null })} />
              {rows.length === 0 ? (
                <NothingMatches filters={[`“${url.q}”`]} onClear={() => setUrl({ q: null })} />
              ) : (
                <ServersTable
                  tenant={tenant}
                  items={rows}
                  head={(column, label, align) => (
                    <Th
                      align={align}
                      sort={{
                        active: sort.column === column ? (sort.desc ? 'desc' : 'asc') : undefined,
                        onToggle: () => setUrl({ sort: toggleSort(sort, column) }),
                      }}
                    >
                      {label}
                    </Th>
                  )}
                />
              )}
            </>
          );
        }}
      </QueryPanel>
    </div>
  );
}
