'use client';
import type { Secret } from '@gantry/contracts';
import { Ellipsis } from 'lucide-react';
import { TimeAgo } from '@/components/page/time-ago';
import { ActionTd, ActionTh, Table, Td, Th, Tr } from '@/components/table/table';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Menu, MenuContent, MenuItem, MenuTrigger } from '@/components/ui/menu';
import { t } from '@/strings';

const text = t.access.secrets;

interface SecretsTableProps {
  items: Secret[];
  mayWrite: boolean;
  onReplace: (secret: Secret) => void;
  onDelete: (secret: Secret) => void;
}

export function SecretsTable({ items, mayWrite, onReplace, onDelete }: SecretsTableProps) {
  return (
    <Table
      caption={text.caption}
      minWidth="min-w-[760px]"
      head={
        <>
          <Th>{text.name}</Th>
          <Th>{text.hosts}</Th>
          <Th>{text.created}</Th>
          <Th>{text.updated}</Th>
          <Th>{text.lastUsed}</Th>
          <ActionTh>{t.access.keys.actions}</ActionTh>
        </>
      }
    >
      {items.map((secret) => (
        <Tr key={secret.name}>
          <Td className="font-medium font-mono text-[12.5px]">
            <span className="flex items-center gap-1">
              {secret.name}
              <CopyButton inRow text={`{{secret.${secret.name}}}`} what={`${text.reference} ${secret.name}`} />
            </span>
          </Td>
          <Td className="w-full max-w-0 truncate font-mono text-muted text-xs">{secret.hosts.join(', ')}</Td>
          <Td className="text-muted">
            <TimeAgo at={secret.createdAt} />
          </Td>
          <Td className="text-muted">
            <TimeAgo at={secret.updatedAt} />
          </Td>
          <Td className="text-muted">{secret.lastUsedAt ? <TimeAgo at={secret.lastUsedAt} /> : t.common.never}</Td>
          <ActionTd>
            {mayWrite && (
              <Menu>
                <MenuTrigger asChild>
                  <Button variant="ghost" size="icon-sm" aria-label={text.actionsFor(secret.name)}>
                    <Ellipsis />
                  </Button>
                </MenuTrigger>
                <MenuContent align="end">
                  <MenuItem onSelect={() => onReplace(secret)}>{text.replace}</MenuItem>
                  <MenuItem danger onSelect={() => onDelete(secret)}>
                    {text.delete}
                  </MenuItem>
                </MenuContent>
              </Menu>
            )}
          </ActionTd>
        </Tr>
      ))}
    </Table>
  );
}
