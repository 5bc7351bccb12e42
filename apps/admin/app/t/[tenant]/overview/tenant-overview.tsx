'use client';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { CallsTable } from '@/components/calls/calls-table';
import { PageHeader } from '@/components/page/page-header';
import { QueryPanel } from '@/components/page/query-panel';
import { ServersTable } from '@/components/servers/servers-table';
import { Button } from '@/components/ui/button';
import { recentCallsQuery } from '@/data/calls/queries';
import { apiKeysQuery } from '@/data/keys/queries';
import { serversQuery } from '@/data/servers/queries';
import { may, tenantQuery } from '@/data/tenants/queries';
import { t } from '@/strings';
import { onboardingSteps, recentCount } from './checklist';
import { ChecklistCard } from './checklist-card';

const text = t.servers.overview;

export function TenantOverview({ tenant }: { tenant: string }) {
  const info = useQuery(tenantQuery(tenant));
  const servers = useQuery(serversQuery(tenant));
  const keys = useQuery(apiKeysQuery(tenant));
  const calls = useQuery(recentCallsQuery(tenant, recentCount));
  const steps =
    servers.data && calls.data && onboardingSteps(tenant, servers.data.items, keys.data?.items ?? [], calls.data.items);
  const open = steps && may(info.data, 'servers:write') && steps.some((step) => !step.done);
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title={info.data?.name ?? tenant} facts={<code className="text-muted text-xs">{tenant}</code>} />
      {open && <ChecklistCard steps={steps} />}
      <Part title={text.yourServers} link={{ href: `/t/${tenant}/servers`, label: text.allServers }}>
        <QueryPanel query={servers}>
          {({ items }) =>
            items.length > 0 ? (
              <ServersTable tenant={tenant} items={items.slice(0, 8)} />
            ) : (
              <Quiet>{t.servers.list.emptyText}</Quiet>
            )
          }
        </QueryPanel>
      </Part>
      <Part title={text.recent} link={{ href: `/t/${tenant}/calls`, label: text.allCalls }}>
        <QueryPanel query={calls}>
          {({ items }) =>
            items.length > 0 ? <CallsTable tenant={tenant} items={items} /> : <Quiet>{text.noCalls}</Quiet>
          }
        </QueryPanel>
      </Part>
    </div>
  );
}

function Part({
  title,
  link,
  children,
}: {
  title: string;
  link: { href: string; label: string };
  children: ReactNode;
}) {
  return (
    <section className="flex flex-col gap-2.5">
      <header className="flex items-baseline justify-between gap-4">
        <h2 className="font-semibold text-base">{title}</h2>
        <Button asChild variant="link">
          <Link href={link.href}>{link.label}</Link>
        </Button>
      </header>
      {children}
    </section>
  );
}

function Quiet({ children }: { children: ReactNode }) {
  return <p className="rounded-lg border border-dashed px-4 py-5 text-muted text-sm">{children}</p>;
}
