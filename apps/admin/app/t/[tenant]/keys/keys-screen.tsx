'use client';
import type { ApiKey, CreatedKey } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useState } from 'react';
import { isStale, stateOf } from '@/components/keys/key-model';
import { KeyOnceDialog } from '@/components/keys/key-once-dialog';
import { NothingMatches, NothingToSee, NothingYet } from '@/components/page/empty-state';
import { PageHeader } from '@/components/page/page-header';
import { QueryPanel } from '@/components/page/query-panel';
import { SearchBox } from '@/components/table/search-box';
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
      <QueryPanel query={query}>
        {({ items }) => {
          if (items.length === 0) {
            return (
              <NothingYet
                title={text.empty}
                action={create}
                example={<p className="text-muted text-sm">{text.emptyExample}</p>}
              >
                {text.emptyText}
              </NothingYet>
            );
          }
          const rows = visible(items, url, now);
          return (
            <>
              <div className="flex flex-wrap items-center gap-2">
                <SearchBox label={text.searchLabel} value={url.q} onChange={(q) => setUrl({ q: q || null })} />
                <Segmented
                  label={text.filter.label}
                  value={url.state}
                  onChange={(state) => setUrl({ state })}
                  options={states.map((value) => ({ value, label: text.filter[value] }))}
                />
              </div>
              {rows.length === 0 ? (
                <NothingMatches
                  filters={[url.q && `“${url.q}”`, text.filter[url.state]].filter(Boolean)}
                  onClear={() => setUrl({ q: null, state: 'all' })}
                />
              ) : (
                <KeysTable
                  items={rows}
                  now={now}
                  mayWrite={mayWrite}
                  mayRevoke={may(info, 'keys:revoke')}
                  onRotate={setRotating}
                  onRevoke={setRevoking}
                />
              )}
            </>
          );
        }}
      </QueryPanel>
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
