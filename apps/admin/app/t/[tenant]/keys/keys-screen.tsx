'use client';
import type { ApiKey, CreatedKey } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useState } from 'react';
import { isStale, stateOf } from '@/components/keys/key-model';
import { KeyOnceDialog } from '@/components/keys/key-once-dialog';
import { NothingToSee } from '@/components/page/empty-state';
import { PageHeader } from '@/components/page/page-header';
import { ListPanel } from '@/components/table/list-panel';
import { Button } from '@/components/ui/button';
import { Segmented } from '@/components/ui/segmented';
import { apiKeysQuery } from '@/data/keys/queries';
import { may, tenantQuery } from '@/data/tenants/queries';
import { t } from '@/strings';
import { CreateKey } from './create-key';
import { KeysTable } from './keys-table';
import { RevokeKey } from './revoke-key';
import { RotateKey } from './rotate-key';

const text = t.access.keys;
const states = ['active', 'expired', 'all'] as const;

export function KeysScreen({ tenant, now }: { tenant: string; now: number }) {
  const info = useQuery(tenantQuery(tenant)).data;
  const query = useQuery({ ...apiKeysQuery(tenant), enabled: info === undefined || may(info, 'keys:read') });
  const [url, setUrl] = useQueryStates({
    q: parseAsString.withDefault(''),
    state: parseAsStringLiteral(states).withDefault('active'),
    new: parseAsBoolean.withDefault(false),
  });
  const [created, setCreated] = useState<{ key: CreatedKey; rotated: boolean }>();
  const [rotating, setRotating] = useState<ApiKey>();
  const [revoking, setRevoking] = useState<ApiKey>();
  const mayWrite = may(info, 'keys:write');
  const create = mayWrite && (
    <Button variant="primary" onClick={() => setUrl({ new: true })}>
      <Plus /> {text.create}
    </Button>
  );
  if (info && !may(info, 'keys:read')) {
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
        visible={(items) => visible(items, url, now)}
        controls={
          <Segmented
            label={text.filter.label}
            value={url.state}
            onChange={(state) => setUrl({ state })}
            options={states.map((value) => ({ value, label: text.filter[value] }))}
          />
        }
        filters={[text.filter[url.state]]}
        onClear={() => setUrl({ q: null, state: 'all' })}
      >
        {(rows) => (
          <KeysTable
            items={rows}
            now={now}
            mayWrite={mayWrite}
            mayRevoke={may(info, 'keys:revoke')}
            onRotate={setRotating}
            onRevoke={setRevoking}
          />
        )}
      </ListPanel>
      {mayWrite && (
        <CreateKey
          tenant={tenant}
          open={url.new}
          onOpenChange={(open) => setUrl({ new: open || null })}
          onCreated={(key) => setCreated({ key, rotated: false })}
        />
      )}
      {rotating && (
        <RotateKey
          tenant={tenant}
          apiKey={rotating}
          onClose={() => setRotating(undefined)}
          onRotated={(key) => setCreated({ key, rotated: true })}
        />
      )}
      {revoking && <RevokeKey tenant={tenant} apiKey={revoking} onClose={() => setRevoking(undefined)} />}
      {created && (
        <KeyOnceDialog created={created.key} rotated={created.rotated} onDone={() => setCreated(undefined)} />
      )}
    </div>
  );
}

function visible(items: ApiKey[], url: { q: string; state: (typeof states)[number] }, now: number): ApiKey[] {
  const needle = url.q.toLowerCase();
  return items
    .filter((key) => `${key.name} ${key.prefix}`.toLowerCase().includes(needle))
    .filter((key) => url.state === 'all' || (stateOf(key, now) === 'active') === (url.state === 'active'))
    .sort((a, b) => Number(isStale(b, now)) - Number(isStale(a, now)) || b.createdAt.localeCompare(a.createdAt));
}
