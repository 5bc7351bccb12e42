'use client';
import type { Secret } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { parseAsBoolean, parseAsString, useQueryStates } from 'nuqs';
import { useState } from 'react';
import { NothingToSee } from '@/components/page/empty-state';
import { PageHeader } from '@/components/page/page-header';
import { ListPanel } from '@/components/table/list-panel';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { toast } from '@/components/ui/toast';
import { useDeleteSecret } from '@/data/secrets/mutations';
import { secretsQuery } from '@/data/secrets/queries';
import { may, tenantQuery } from '@/data/tenants/queries';
import { t } from '@/strings';
import { SecretDialog } from './secret-dialog';
import { SecretsTable } from './secrets-table';

const text = t.access.secrets;

export function SecretsScreen({ tenant }: { tenant: string }) {
  const info = useQuery(tenantQuery(tenant)).data;
  const query = useQuery({ ...secretsQuery(tenant), enabled: info === undefined || may(info, 'secrets:read') });
  const [url, setUrl] = useQueryStates({ q: parseAsString.withDefault(''), new: parseAsBoolean.withDefault(false) });
  const [replacing, setReplacing] = useState<Secret>();
  const [deleting, setDeleting] = useState<Secret>();
  const remove = useDeleteSecret(tenant);
  const mayWrite = may(info, 'secrets:write');
  const create = mayWrite && (
    <Button variant="primary" onClick={() => setUrl({ new: true })}>
      <Plus /> {text.create}
    </Button>
  );
  if (info && !may(info, 'secrets:read')) {
    return (
      <div className="flex flex-col gap-5">
        <PageHeader title={text.title} description={text.hint} />
        <NothingToSee title={text.noRead}>{text.noReadText}</NothingToSee>
      </div>
    );
  }
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
          const needle = url.q.toUpperCase();
          return items.filter((secret) => `${secret.name} ${secret.hosts.join(' ').toUpperCase()}`.includes(needle));
        }}
        onClear={() => setUrl({ q: null })}
      >
        {(rows) => <SecretsTable items={rows} mayWrite={mayWrite} onReplace={setReplacing} onDelete={setDeleting} />}
      </ListPanel>
      {mayWrite && url.new && <SecretDialog tenant={tenant} onClose={() => setUrl({ new: null })} />}
      {replacing && <SecretDialog tenant={tenant} secret={replacing} onClose={() => setReplacing(undefined)} />}
      {deleting && (
        <ConfirmDialog
          open
          onOpenChange={(open) => !open && setDeleting(undefined)}
          title={text.deleteTitle(deleting.name)}
          action={text.deleteButton}
          typed={deleting.name}
          onConfirm={async () => {
            await remove.mutateAsync(deleting.name);
            toast({ text: text.deleted(deleting.name) });
          }}
        >
          <p>{text.deleteText}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
