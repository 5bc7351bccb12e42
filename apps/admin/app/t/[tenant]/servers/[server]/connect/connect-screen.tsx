'use client';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { PageHeader } from '@/components/page/page-header';
import { QueryPanel } from '@/components/page/query-panel';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { CodeBlock } from '@/components/ui/code-block';
import { CopyButton } from '@/components/ui/copy-button';
import { Segmented } from '@/components/ui/segmented';
import { serversQuery } from '@/data/servers/queries';
import { may, tenantQuery } from '@/data/tenants/queries';
import { t } from '@/strings';
import { InPlaceKey } from './in-place-key';
import { clientLabels, clients, snippets } from './snippets';

const text = t.connect;

export function ConnectScreen({ tenant, server }: { tenant: string; server: string }) {
  const servers = useQuery(serversQuery(tenant));
  const info = useQuery(tenantQuery(tenant)).data;
  const [client, setClient] = useQueryState('client', parseAsStringLiteral(clients).withDefault('claude'));
  return (
    <div className="flex max-w-3xl flex-col gap-5">
      <PageHeader title={text.title} description={text.hint} />
      <QueryPanel query={servers}>
        {({ items }) => {
          const summary = items.find((entry) => entry.slug === server);
          if (!summary) return null;
          const keyed = summary.access !== 'public';
          const snippet = snippets[client]({ name: server, endpoint: summary.endpoint, keyed });
          const files: readonly (readonly [string, string])[] = text.files[client];
          return (
            <div className="flex flex-col gap-6">
              {summary.revision === 0 ? (
                <Callout tone="warn" title={text.unpublished} />
              ) : (
                summary.tools === 0 && (
                  <Callout
                    tone="warn"
                    title={text.needsTool}
                    actions={
                      may(info, 'servers:write') && (
                        <Button asChild size="sm">
                          <Link href={`/t/${tenant}/servers/${server}/tools/new`}>{text.addTool}</Link>
                        </Button>
                      )
                    }
                  />
                )
              )}
              <div className="overflow-x-auto">
                <Segmented
                  label={text.client}
                  value={client}
                  onChange={setClient}
                  options={clients.map((value) => ({ value, label: clientLabels[value] }))}
                />
              </div>
              <section className="flex flex-col gap-3" aria-label={clientLabels[client]}>
                {files.length > 0 && (
                  <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-xs">
                    {files.map(([system, path]) => (
                      <div key={system} className="contents">
                        <dt className="text-muted">{system}</dt>
                        <dd className="break-all font-mono">{path}</dd>
                      </div>
                    ))}
                  </dl>
                )}
                <div className="relative">
                  <CodeBlock label={text.steps} className="rounded-lg p-4 pt-12 text-[12.5px] sm:pt-4 sm:pr-28">
                    {snippet}
                  </CodeBlock>
                  <div className="absolute top-2.5 right-2.5">
                    <CopyButton text={snippet} what={text.copySnippet} label={t.common.copy} />
                  </div>
                </div>
                <p className="text-muted text-sm">{text.notes[client]}</p>
              </section>
              {keyed ? (
                <InPlaceKey tenant={tenant} server={server} mayMake={may(info, 'keys:write')} />
              ) : (
                <p className="text-muted text-sm">{text.keyPublic}</p>
              )}
            </div>
          );
        }}
      </QueryPanel>
    </div>
  );
}
