'use client';
import type { ApiKey, Session } from '@gantry/contracts';
import Link from 'next/link';
import type { HTMLAttributes } from 'react';
import { cn } from '@/components/cn';
import { TimeAgo } from '@/components/page/time-ago';
import { EraBadge, StateBadge } from '@/components/sessions/session-badges';
import { callerName, clientName } from '@/components/sessions/session-model';
import type { HeldRow } from '@/components/table/held-rows';
import { RowLink } from '@/components/table/row-link';
import { parseSort, toggleSort } from '@/components/table/sorting';
import { Table, Td, Th, Tr } from '@/components/table/table';
import { t } from '@/strings';

const text = t.sessions;

/** What each sortable column is sorted by. */
export const sortable = {
  client: ({ client }: Session) => `${client.name ?? ''} ${client.version ?? ''}`,
  server: ({ server }: Session) => server,
  node: ({ node }: Session) => node,
  started: ({ createdAt }: Session) => Date.parse(createdAt),
  last: ({ lastSeenAt }: Session) => Date.parse(lastSeenAt),
  flight: ({ inFlight }: Session) => inFlight,
  streams: ({ streams }: Session) => streams,
};
export type Column = keyof typeof sortable;
export const columns = Object.keys(sortable) as Column[];

interface SessionsTableProps extends HTMLAttributes<HTMLDivElement> {
  tenant: string;
  rows: readonly HeldRow<Session>[];
  keys: readonly ApiKey[] | undefined;
  sort: string;
  onSort: (sort: string) => void;
}

export function SessionsTable({ tenant, rows, keys, sort: sortText, onSort, ...handlers }: SessionsTableProps) {
  const sort = parseSort(sortText, columns, 'started');
  const head = (column: Column, label: string, align?: 'right') => (
    <Th
      align={align}
      sort={{
        active: sort.column === column ? (sort.desc ? 'desc' : 'asc') : undefined,
        onToggle: () => onSort(toggleSort(sort, column)),
      }}
    >
      {label}
    </Th>
  );
  return (
    <div {...handlers}>
      <Table
        caption={text.caption}
        minWidth="min-w-[1080px]"
        head={
          <>
            {head('client', text.client)}
            <Th>{text.era}</Th>
            <Th>{text.state}</Th>
            <Th>{text.principal}</Th>
            {head('server', text.server)}
            {head('node', text.node)}
            {head('started', text.started)}
            {head('last', text.lastMessage)}
            {head('flight', text.inFlight, 'right')}
            {head('streams', text.streams, 'right')}
          </>
        }
      >
        {rows.map(({ row, gone }) => (
          <SessionRow key={row.id} tenant={tenant} session={row} gone={gone} keys={keys} />
        ))}
      </Table>
    </div>
  );
}

interface SessionRowProps {
  tenant: string;
  session: Session;
  gone: boolean;
  keys: readonly ApiKey[] | undefined;
}

function SessionRow({ tenant, session, gone, keys }: SessionRowProps) {
  const quiet = 'text-muted hover:text-accent-text hover:underline';
  return (
    <Tr className={cn(gone && 'text-muted')}>
      <Td className="max-w-56">
        <span className="flex items-baseline gap-1.5">
          <RowLink href={`/t/${tenant}/sessions/${encodeURIComponent(session.id)}`}>{clientName(session)}</RowLink>
          <span className="truncate font-mono text-muted text-xs">{session.client.version}</span>
        </span>
      </Td>
      <Td>
        <EraBadge era={session.era} revision={session.revision} />
      </Td>
      <Td>
        <StateBadge state={gone ? 'ended' : session.state} />
      </Td>
      <Td className="max-w-40 truncate text-muted" title={session.principal}>
        {callerName(session.principal, keys)}
      </Td>
      <Td className="max-w-40 truncate font-mono text-xs">
        <Link className={quiet} href={`/t/${tenant}/servers/${session.server}`}>
          {session.server}
        </Link>
      </Td>
      <Td className="whitespace-nowrap font-mono text-muted text-xs">{session.node}</Td>
      <Td className="text-muted">
        <TimeAgo at={session.createdAt} />
      </Td>
      <Td className="text-muted">
        <TimeAgo at={session.lastSeenAt} />
      </Td>
      <Td align="right" className="font-mono text-xs">
        {session.inFlight}
      </Td>
      <Td align="right" className="font-mono text-xs">
        {session.streams}
      </Td>
    </Tr>
  );
}
