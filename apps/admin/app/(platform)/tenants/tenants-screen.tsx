'use client';
import type { Tenant } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { parseAsBoolean, parseAsString, useQueryStates } from 'nuqs';
import { NothingMatches, NothingToSee, NothingYet } from '@/components/page/empty-state';
import { PageHeader } from '@/components/page/page-header';
import { QueryPanel } from '@/components/page/query-panel';
import { TimeAgo } from '@/components/page/time-ago';
import { RowLink } from '@/components/table/row-link';
import { SearchBox } from '@/components/table/search-box';
import { parseSort, sortBy, toggleSort } from '@/components/table/sorting';
import { Table, Td, Th, Tr } from '@/components/table/table';
import { Button } from '@/components/ui/button';
import { tenantsQuery } from '@/data/tenants/queries';
import { t } from '@/strings';
import { CreateTenant } from './create-tenant';

const columns = ['name', 'slug', 'role', 'created'] as const;
const text = t.servers.tenants;

export function TenantsScreen({ mayCreate }: { mayCreate: boolean }) {
  const query = useQuery(tenantsQuery());
  const [url, setUrl] = useQueryStates({
    q: parseAsString.withDefault(''),
    sort: parseAsString.withDefault('name'),
    new: parseAsBoolean.withDefault(false),
  });
  const sort = parseSort(url.sort, columns, 'name');
  const create = mayCreate && (
    <Button variant="primary" onClick={() => setUrl({ new: true })}>
      <Plus /> {text.create}
    </Button>
  );
  const head = (column: (typeof columns)[number], label: string) => (
    <Th
      sort={{
        active: sort.column === column ? (sort.desc ? 'desc' : 'asc') : undefined,
        onToggle: () => setUrl({ sort: toggleSort(sort, column) }),
      }}
    >
      {label}
    </Th>
  );
  return (
    <div className="flex flex-col gap-5">
      <PageHeader title={text.title} description={text.hint} actions={create} />
      <QueryPanel query={query}>
        {({ items }) => {
          if (items.length === 0)
            return mayCreate ? (
              <FirstTenant action={create} />
            ) : (
              <NothingToSee title={text.notYours}>{text.notYoursText}</NothingToSee>
            );
          const rows = visible(items, url.q, sort);
          return (
            <>
              <SearchBox label={text.searchLabel} value={url.q} onChange={(q) => setUrl({ q: q || null })} />
              {rows.length === 0 ? (
                <NothingMatches filters={[`“${url.q}”`]} onClear={() => setUrl({ q: null })} />
              ) : (
                <Table
                  caption={text.title}
                  minWidth="min-w-[520px]"
                  head={
                    <>
                      {head('name', text.name)}
                      {head('slug', text.slug)}
                      {head('role', text.role)}
                      {head('created', text.created)}
                    </>
                  }
                >
                  {rows.map((tenant) => (
                    <Tr key={tenant.slug}>
                      <Td>
                        <RowLink href={`/t/${tenant.slug}`}>{tenant.name}</RowLink>
                      </Td>
                      <Td className="font-mono text-muted text-xs">{tenant.slug}</Td>
                      <Td className="text-muted">{tenant.role ?? t.common.none}</Td>
                      <Td className="text-muted">
                        <TimeAgo at={tenant.createdAt} />
                      </Td>
                    </Tr>
                  ))}
                </Table>
              )}
            </>
          );
        }}
      </QueryPanel>
      {mayCreate && <CreateTenant open={url.new} onOpenChange={(open) => setUrl({ new: open || null })} />}
    </div>
  );
}

function FirstTenant({ action }: { action: React.ReactNode }) {
  return (
    <NothingYet
      title={text.empty}
      action={action}
      example={
        <p className="text-muted text-sm">
          {text.emptyExample} <code>acme-logistics</code>.
        </p>
      }
    >
      {text.emptyText}
    </NothingYet>
  );
}

function visible(items: Tenant[], q: string, sort: { column: (typeof columns)[number]; desc: boolean }) {
  const needle = q.toLowerCase();
  const found = items.filter((tenant) => `${tenant.name} ${tenant.slug}`.toLowerCase().includes(needle));
  return sortBy(found, (tenant) => (sort.column === 'created' ? tenant.createdAt : tenant[sort.column]), sort.desc);
}
