'use client';
import type { Revision } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { NothingYet } from '@/components/page/empty-state';
import { PageHeader } from '@/components/page/page-header';
import { QueryPanel } from '@/components/page/query-panel';
import { TimeAgo } from '@/components/page/time-ago';
import { ActionTd, ActionTh, Table, Td, Th, Tr } from '@/components/table/table';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { toast } from '@/components/ui/toast';
import { useRollback } from '@/data/servers/mutations';
import { revisionsQuery } from '@/data/servers/queries';
import { may, tenantQuery } from '@/data/tenants/queries';
import { changeInWords } from '@/lib/document-change';
import { t } from '@/strings';

const text = t.servers.versions;

interface VersionsScreenProps {
  tenant: string;
  server: string;
  /** Id of the person who looks. */
  reader: string | undefined;
}

export function VersionsScreen({ tenant, server, reader }: VersionsScreenProps) {
  const mayWrite = may(useQuery(tenantQuery(tenant)).data, 'servers:write');
  const query = useQuery(revisionsQuery(tenant, server));
  const rollback = useRollback(tenant, server);
  const [target, setTarget] = useState<Revision>();
  const live = query.data?.items.find((revision) => revision.live);
  return (
    <div className="flex flex-col gap-5">
      <PageHeader title={text.title} description={text.hint} />
      <QueryPanel query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <NothingYet title={text.empty}>{text.emptyText}</NothingYet>
          ) : (
            <Table
              caption={text.caption}
              head={
                <>
                  <Th align="right">{text.number}</Th>
                  <Th>{text.when}</Th>
                  <Th>{text.by}</Th>
                  <Th>{text.note}</Th>
                  <Th align="right">{text.tools}</Th>
                  <ActionTh>{text.rollback}</ActionTh>
                </>
              }
            >
              {items.map((revision) => (
                <Tr key={revision.number}>
                  <Td align="right" className="font-mono">
                    {revision.number}
                  </Td>
                  <Td className="text-muted">
                    <TimeAgo at={revision.publishedAt} />
                  </Td>
                  <Td className="max-w-48 truncate text-muted">
                    <Publisher by={revision.publishedBy} reader={reader} />
                  </Td>
                  <Td className="w-full text-muted">{revision.note}</Td>
                  <Td align="right">{revision.tools}</Td>
                  <ActionTd>
                    {revision.live ? (
                      <Badge tone="ok">{text.live}</Badge>
                    ) : (
                      mayWrite && (
                        <Button
                          size="sm"
                          variant="ghost"
                          onClick={() => setTarget(revision)}
                          aria-label={`${text.rollback}: ${text.number} ${revision.number}`}
                        >
                          {text.rollback}
                        </Button>
                      )
                    )}
                  </ActionTd>
                </Tr>
              ))}
            </Table>
          )
        }
      </QueryPanel>
      {target && (
        <ConfirmDialog
          open
          onOpenChange={(open) => !open && setTarget(undefined)}
          title={text.rollbackTitle(target.number)}
          action={text.rollback}
          onConfirm={async () => {
            const { revision, diff } = await rollback.mutateAsync(target.number);
            toast({ text: text.rolledBack(target.number, revision, changeInWords(diff)) });
          }}
        >
          <p>{text.rollbackText(target.number, live?.tools ?? 0, target.tools)}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

/** Who published, in words where there are any: an id says nothing to the reader whose own it is. */
function Publisher({ by, reader }: { by: string; reader: string | undefined }) {
  if (reader !== undefined && by === `user:${reader}`) return text.byYou;
  if (by === 'automation') return text.byAdminToken;
  return (
    <span className="font-mono text-xs" title={by}>
      {by}
    </span>
  );
}
