'use client';
import type { PromptDocument } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import Link from 'next/link';
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { PageHeader } from '@/components/page/page-header';
import { ListPanel } from '@/components/table/list-panel';
import { WithPreview } from '@/components/table/with-preview';
import { Button } from '@/components/ui/button';
import { Select } from '@/components/ui/input';
import { promptsQuery } from '@/data/prompts/prompts';
import { may, tenantQuery } from '@/data/tenants/queries';
import { promptKindOf, promptKinds } from '@/lib/prompt-document';
import { t } from '@/strings';
import { PromptPreview } from './_preview/prompt-preview';
import { PromptsTable } from './prompts-table';

const text = t.prompts.list;
const urlKeys = {
  q: parseAsString.withDefault(''),
  kind: parseAsStringLiteral(promptKinds),
  view: parseAsString,
};

export function PromptsScreen({ tenant, server }: { tenant: string; server: string }) {
  const base = `/t/${tenant}/servers/${server}/prompts`;
  const info = useQuery(tenantQuery(tenant)).data;
  const query = useQuery(promptsQuery(tenant, server));
  const [url, setUrl] = useQueryStates(urlKeys);
  const viewed = query.data?.items.find((prompt) => prompt.name === url.view);
  const create = may(info, 'servers:write') && (
    <Button asChild variant="primary">
      <Link href={`${base}/new`}>
        <Plus /> {text.create}
      </Link>
    </Button>
  );
  return (
    <div className="flex flex-col gap-5">
      <PageHeader title={text.title} description={text.hint} actions={create} />
      <WithPreview
        label={t.prompts.preview.title}
        preview={
          viewed && (
            <PromptPreview
              key={viewed.name}
              tenant={tenant}
              server={server}
              prompt={viewed}
              storedName={viewed.name}
              mayTry={may(info, 'tools:try')}
              title={t.prompts.preview.of(viewed.name)}
              actions={
                <Button
                  variant="ghost"
                  size="icon-sm"
                  aria-label={t.common.close}
                  onClick={() => setUrl({ view: null })}
                >
                  <X />
                </Button>
              }
            />
          )
        }
      >
        <ListPanel
          words={text}
          query={query}
          create={create}
          search={url.q}
          onSearch={(q) => setUrl({ q })}
          visible={(items) => visible(items, url.q, url.kind)}
          controls={
            <Select
              className="w-36"
              aria-label={text.kindFilter}
              value={url.kind ?? ''}
              onChange={(event) => setUrl({ kind: (event.target.value || null) as typeof url.kind })}
            >
              <option value="">{text.anyKind}</option>
              {promptKinds.map((kind) => (
                <option key={kind} value={kind}>
                  {t.prompts.kinds[kind][0]}
                </option>
              ))}
            </Select>
          }
          filters={[url.kind && t.prompts.kinds[url.kind][0]]}
          onClear={() => setUrl({ q: null, kind: null })}
          counted={text.counted}
        >
          {(rows) => (
            <PromptsTable base={base} items={rows} viewed={viewed?.name} onView={(view) => setUrl({ view })} />
          )}
        </ListPanel>
      </WithPreview>
    </div>
  );
}

/** The order is the server document's, which is what clients see. */
function visible(items: PromptDocument[], search: string, kind: (typeof promptKinds)[number] | null): PromptDocument[] {
  const needle = search.toLowerCase();
  return items.filter(
    (prompt) =>
      `${prompt.name} ${prompt.title ?? ''} ${prompt.description ?? ''}`.toLowerCase().includes(needle) &&
      (!kind || promptKindOf(prompt) === kind),
  );
}
