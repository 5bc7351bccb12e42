'use client';
import type { ServerDocument } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { NothingYet } from '@/components/page/empty-state';
import { PageHeader } from '@/components/page/page-header';
import { QueryPanel } from '@/components/page/query-panel';
import { TimeAgo } from '@/components/page/time-ago';
import { AccessBadge } from '@/components/servers/servers-table';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { documentQuery, serversQuery } from '@/data/servers/queries';
import { may, tenantQuery } from '@/data/tenants/queries';
import { toolsQuery } from '@/data/tools/queries';
import { t } from '@/strings';
import { ToolsTable } from '../tools/tools-table';
import { DeleteServer } from './delete-server';
import { DraftNotice } from './draft-notice';

const text = t.servers.server;

export function ServerOverview({ tenant, server: slug }: { tenant: string; server: string }) {
  const info = useQuery(tenantQuery(tenant)).data;
  const servers = useQuery(serversQuery(tenant));
  const document = useQuery(documentQuery(tenant, slug));
  const tools = useQuery(toolsQuery(tenant, slug));
  const base = `/t/${tenant}/servers/${slug}`;
  const mayWrite = may(info, 'servers:write');
  const stored = document.data?.data;
  const summary = servers.data?.items.find((entry) => entry.slug === slug);
  const addTool = mayWrite && (
    <Button asChild variant="primary">
      <Link href={`${base}/tools/new`}>
        <Plus /> {text.addTool}
      </Link>
    </Button>
  );
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title={stored?.name ?? summary?.name ?? slug}
        facts={summary && <AccessBadge access={summary.access} />}
        actions={
          <>
            <Button asChild>
              <Link href={`${base}/connect`}>{text.connect}</Link>
            </Button>
            {addTool}
          </>
        }
      />
      <QueryPanel query={servers}>
        {() =>
          summary && (
            <>
              {summary.draft && <DraftNotice tenant={tenant} server={slug} mayPublish={mayWrite} />}
              <section
                aria-label={text.endpoint}
                className="flex items-center gap-2 rounded-lg border bg-surface py-2 pr-2 pl-4"
              >
                <span className="shrink-0 text-muted text-xs">{text.endpoint}</span>
                <code className="min-w-0 flex-1 truncate text-sm">{summary.endpoint}</code>
                <CopyButton text={summary.endpoint} what={text.endpoint} label={t.common.copy} />
              </section>
              <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:flex sm:flex-wrap sm:gap-x-10">
                <Fact label={text.tools}>{summary.tools}</Fact>
                <Fact label={text.prompts}>{stored?.prompts?.length ?? '–'}</Fact>
                <Fact label={text.resources}>{resourceCount(stored) ?? '–'}</Fact>
                <Fact label={text.revision}>{summary.revision || t.servers.list.unpublished}</Fact>
                <Fact label={text.version}>{stored?.version ?? '–'}</Fact>
                <Fact label={text.updated}>
                  <TimeAgo at={summary.updatedAt} />
                </Fact>
                <Fact label={text.publish}>
                  {stored?.autoPublish === false ? text.manualPublish : text.autoPublish}
                </Fact>
              </dl>
            </>
          )
        }
      </QueryPanel>
      <section className="flex flex-col gap-2.5">
        <h2 className="font-semibold text-base">{text.instructions}</h2>
        <p className="max-w-2xl whitespace-pre-wrap text-muted text-sm">
          {stored?.instructions ?? text.noInstructions}
        </p>
      </section>
      <section className="flex flex-col gap-2.5">
        <header className="flex items-baseline justify-between gap-4">
          <h2 className="font-semibold text-base">{text.topTools}</h2>
          <Button asChild variant="link">
            <Link href={`${base}/tools`}>{text.allTools}</Link>
          </Button>
        </header>
        <QueryPanel query={tools}>
          {({ items }) =>
            items.length > 0 ? (
              <ToolsTable base={base} items={items.slice(0, 10)} />
            ) : (
              <NothingYet title={text.noTools} action={addTool}>
                {text.noToolsText}
              </NothingYet>
            )
          }
        </QueryPanel>
      </section>
      {may(info, 'servers:delete') && summary && (
        <DeleteServer
          tenant={tenant}
          server={slug}
          name={summary.name}
          tools={tools.data?.items.length ?? summary.tools}
        />
      )}
    </div>
  );
}

/** Resources and templates together; undefined where neither is offered. */
function resourceCount(stored: ServerDocument | undefined): number | undefined {
  if (!stored?.resources && !stored?.resourceTemplates) return undefined;
  return (stored.resources?.length ?? 0) + (stored.resourceTemplates?.length ?? 0);
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-muted text-xs">{label}</dt>
      <dd className="font-medium text-base tabular-nums">{children}</dd>
    </div>
  );
}
