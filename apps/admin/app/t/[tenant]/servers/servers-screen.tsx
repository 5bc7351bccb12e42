'use client';
import type { ServerSummary } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import Link from 'next/link';
import { parseAsString, useQueryStates } from 'nuqs';
import { PageHeader } from '@/components/page/page-header';
import { ServersTable, serverColumns } from '@/components/servers/servers-table';
import { ListPanel } from '@/components/table/list-panel';
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
      <ListPanel
        words={text}
        query={query}
        create={create}
        search={url.q}
        onSearch={(q) => setUrl({ q })}
        visible={(items) => {
          const needle = url.q.toLowerCase();
          const found = items.filter((server) => `${server.name} ${server.slug}`.toLowerCase().includes(needle));
          const read = (server: ServerSummary) => (sort.column === 'updated' ? server.updatedAt : server[sort.column]);
          return sortBy(found, read, sort.desc);
        }}
        onClear={() => setUrl({ q: null })}
      >
        {(rows) => (
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
      </ListPanel>
    </div>
  );
}
