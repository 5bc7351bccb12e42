'use client';
import type { ServerSummary } from '@gantry/contracts';
import type { ReactNode } from 'react';
import { TimeAgo } from '@/components/page/time-ago';
import { RowLink } from '@/components/table/row-link';
import { Table, Td, Th, Tr } from '@/components/table/table';
import { Badge } from '@/components/ui/badge';
import { CopyButton } from '@/components/ui/copy-button';
import { t } from '@/strings';

const text = t.servers.list;
export const serverColumns = ['name', 'tools', 'revision', 'access', 'updated'] as const;
export type ServerColumn = (typeof serverColumns)[number];

interface ServersTableProps {
  tenant: string;
  items: ServerSummary[];
  /** Makes the head of a column; without it the columns are not sorted by click. */
  head?: (column: ServerColumn, label: string, align?: 'right') => ReactNode;
}

export function ServersTable({ tenant, items, head }: ServersTableProps) {
  const column = head ?? ((_column: ServerColumn, label: string, align?: 'right') => <Th align={align}>{label}</Th>);
  return (
    <Table
      caption={text.caption}
      minWidth="min-w-[760px]"
      head={
        <>
          {column('name', text.name)}
          <Th>{text.endpoint}</Th>
          {column('tools', text.tools, 'right')}
          {column('revision', text.revision, 'right')}
          {column('access', text.access)}
          {column('updated', text.updated)}
        </>
      }
    >
      {items.map((server) => (
        <Tr key={server.slug}>
          <Td className="max-w-64 md:max-w-96">
            <span className="flex items-center gap-2">
              <RowLink href={`/t/${tenant}/servers/${server.slug}`}>{server.name}</RowLink>
              {server.revision === 0 ? (
                <Badge tone="neutral">{text.unpublished}</Badge>
              ) : (
                server.draft && <Badge tone="warn">{text.draft}</Badge>
              )}
            </span>
          </Td>
          <Td className="max-w-80">
            <span className="flex items-center gap-1">
              <code className="min-w-0 truncate text-muted text-xs">{new URL(server.endpoint).pathname}</code>
              <CopyButton inRow text={server.endpoint} what={`${text.endpoint} ${server.name}`} />
            </span>
          </Td>
          <Td align="right">{server.tools}</Td>
          <Td align="right" className="font-mono text-muted text-xs">
            {server.revision || '–'}
          </Td>
          <Td>
            <AccessBadge access={server.access} />
          </Td>
          <Td className="text-muted">
            <TimeAgo at={server.updatedAt} />
          </Td>
        </Tr>
      ))}
    </Table>
  );
}

export function AccessBadge({ access }: { access: ServerSummary['access'] }) {
  return <Badge tone={access === 'public' ? 'info' : 'neutral'}>{t.servers.access[access]}</Badge>;
}
