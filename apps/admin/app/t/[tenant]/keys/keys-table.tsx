'use client';
import type { ApiKey } from '@gantry/contracts';
import { Ellipsis } from 'lucide-react';
import { isBroad, isStale, stateOf } from '@/components/keys/key-model';
import { TimeAgo } from '@/components/page/time-ago';
import { ActionTd, ActionTh, Table, Td, Th, Tr } from '@/components/table/table';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Menu, MenuContent, MenuItem, MenuTrigger } from '@/components/ui/menu';
import { t } from '@/strings';

const text = t.access.keys;

interface KeysTableProps {
  items: ApiKey[];
  now: number;
  mayWrite: boolean;
  mayRevoke: boolean;
  onRotate: (key: ApiKey) => void;
  onRevoke: (key: ApiKey) => void;
}

export function KeysTable({ items, now, mayWrite, mayRevoke, onRotate, onRevoke }: KeysTableProps) {
  return (
    <Table
      caption={text.caption}
      minWidth="min-w-[940px]"
      head={
        <>
          <Th>{text.name}</Th>
          <Th>{text.prefix}</Th>
          <Th>{text.state}</Th>
          <Th>{text.scopes}</Th>
          <Th>{text.servers}</Th>
          <Th>{text.created}</Th>
          <Th>{text.expiry}</Th>
          <Th>{text.lastUsed}</Th>
          <ActionTh>{text.actions}</ActionTh>
        </>
      }
    >
      {items.map((key) => {
        const state = stateOf(key, now);
        return (
          <Tr key={key.id}>
            <Td className="max-w-64 truncate font-medium">{key.name}</Td>
            <Td className="whitespace-nowrap font-mono text-muted text-xs">{key.prefix}…</Td>
            <Td>
              <span className="flex gap-1">
                <Badge tone={state === 'active' ? 'ok' : 'neutral'}>{text[state]}</Badge>
                {isStale(key, now) && <Badge tone="warn">{text.stale}</Badge>}
              </span>
            </Td>
            <Td>
              <span className="flex items-center gap-1.5">
                <code className="whitespace-nowrap text-xs">{key.scopes.join(' ')}</code>
                {state === 'active' && isBroad(key) && <Badge tone="warn">{text.broad}</Badge>}
              </span>
            </Td>
            <Td className="max-w-48 truncate text-muted">
              {key.servers.length > 0 ? key.servers.join(', ') : text.allServers}
            </Td>
            <Td className="text-muted">
              <TimeAgo at={key.createdAt} />
            </Td>
            <Td className="text-muted">{key.expiresAt ? <TimeAgo at={key.expiresAt} /> : t.common.never}</Td>
            <Td className="text-muted">{key.lastUsedAt ? <TimeAgo at={key.lastUsedAt} /> : t.common.never}</Td>
            <ActionTd>
              {state === 'active' && (mayWrite || mayRevoke) && (
                <Menu>
                  <MenuTrigger asChild>
                    <Button variant="ghost" size="icon-sm" aria-label={text.actionsFor(key.name)}>
                      <Ellipsis />
                    </Button>
                  </MenuTrigger>
                  <MenuContent align="end">
                    {mayWrite && <MenuItem onSelect={() => onRotate(key)}>{text.rotate}</MenuItem>}
                    {mayRevoke && (
                      <MenuItem danger onSelect={() => onRevoke(key)}>
                        {text.revoke}
                      </MenuItem>
                    )}
                  </MenuContent>
                </Menu>
              )}
            </ActionTd>
          </Tr>
        );
      })}
    </Table>
  );
}
