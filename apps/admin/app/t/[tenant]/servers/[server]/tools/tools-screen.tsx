'use client';
import type { ToolDocument } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import Link from 'next/link';
import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { PageHeader } from '@/components/page/page-header';
import { ListPanel } from '@/components/table/list-panel';
import { parseSort, sortBy, toggleSort } from '@/components/table/sorting';
import { Th } from '@/components/table/table';
import { Button } from '@/components/ui/button';
import { CheckField, Select } from '@/components/ui/input';
import { may, tenantQuery } from '@/data/tenants/queries';
import { toolsQuery } from '@/data/tools/queries';
import { kindOf, kinds, missingDescriptions } from '@/lib/tool-document';
import { t } from '@/strings';
import { inputCount, type ToolColumn, ToolsTable, toolColumns } from './tools-table';

const text = t.tools.list;
const urlKeys = {
  q: parseAsString.withDefault(''),
  kind: parseAsStringLiteral(kinds),
  warn: parseAsBoolean.withDefault(false),
  sort: parseAsString.withDefault(''),
};
type Url = { q: string; kind: (typeof kinds)[number] | null; warn: boolean; sort: string };

export function ToolsScreen({ tenant, server }: { tenant: string; server: string }) {
  const base = `/t/${tenant}/servers/${server}`;
  const mayWrite = may(useQuery(tenantQuery(tenant)).data, 'servers:write');
  const query = useQuery(toolsQuery(tenant, server));
  const [url, setUrl] = useQueryStates(urlKeys);
  const sort = parseSort(url.sort, toolColumns, 'name');
  const create = mayWrite && (
    <Button asChild variant="primary">
      <Link href={`${base}/tools/new`}>
        <Plus /> {text.create}
      </Link>
    </Button>
  );
  const head = (column: ToolColumn, label: string, align?: 'right') => (
    <Th
      align={align}
      sort={{
        active: url.sort && sort.column === column ? (sort.desc ? 'desc' : 'asc') : undefined,
        onToggle: () => setUrl({ sort: url.sort ? toggleSort(sort, column) : column }),
      }}
    >
      {label}
    </Th>
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
        visible={(items) => visible(items, url, sort)}
        controls={
          <>
            <Select
              className="w-36"
              aria-label={text.kindFilter}
              value={url.kind ?? ''}
              onChange={(event) => setUrl({ kind: (event.target.value || null) as Url['kind'] })}
            >
              <option value="">{text.anyKind}</option>
              {kinds.map((kind) => (
                <option key={kind} value={kind}>
                  {t.tools.kinds[kind][0]}
                </option>
              ))}
            </Select>
            <CheckField
              label={text.onlyWarnings}
              checked={url.warn}
              onChange={(event) => setUrl({ warn: event.target.checked || null })}
            />
          </>
        }
        filters={[url.kind && t.tools.kinds[url.kind][0], url.warn && text.onlyWarnings.toLowerCase()]}
        onClear={() => setUrl({ q: null, kind: null, warn: null })}
        counted={text.counted}
      >
        {(rows) => <ToolsTable base={base} items={rows} head={head} />}
      </ListPanel>
    </div>
  );
}

function visible(items: ToolDocument[], url: Url, sort: { column: ToolColumn; desc: boolean }): ToolDocument[] {
  const needle = url.q.toLowerCase();
  const found = items.filter(
    (tool) =>
      `${tool.name} ${tool.title ?? ''} ${tool.description ?? ''}`.toLowerCase().includes(needle) &&
      (!url.kind || kindOf(tool) === url.kind) &&
      (!url.warn || missingDescriptions(tool) > 0),
  );
  // Without a sort the order is the server document's, which is what clients see.
  if (!url.sort) return found;
  const read = {
    name: (x: ToolDocument) => x.name,
    kind: kindOf,
    inputs: inputCount,
    description: (x: ToolDocument) => x.description || undefined,
  };
  return sortBy(found, read[sort.column], sort.desc);
}
