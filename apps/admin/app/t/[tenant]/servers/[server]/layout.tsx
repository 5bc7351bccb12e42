import Link from 'next/link';
import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { TabRow } from '@/components/shell/tab-row';
import { getDocument } from '@/data/servers/server';
import { t } from '@/strings';

interface LayoutProps {
  children: ReactNode;
  params: Promise<{ tenant: string; server: string }>;
}

export default async function ServerLayout({ children, params }: LayoutProps) {
  const { tenant, server } = await params;
  const document = await getDocument(tenant, server);
  if (!document.ok && document.problem.status === 404) notFound();
  const base = `/t/${tenant}/servers/${server}`;
  const { tabs } = t.shell;
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-col gap-1">
        <nav aria-label={t.shell.breadcrumb} className="text-muted text-sm">
          <ol className="flex min-w-0 items-center gap-1.5">
            <li>
              <Link href={`/t/${tenant}/servers`} className="hover:text-text hover:underline">
                {t.shell.nav.servers}
              </Link>
            </li>
            <li aria-hidden>/</li>
            <li className="min-w-0 truncate">
              <Link href={base} className="font-medium text-text hover:underline">
                {document.ok ? document.data.name : server}
              </Link>
            </li>
          </ol>
        </nav>
        <TabRow
          label={t.shell.serverTabs}
          tabs={[
            { label: tabs.overview, href: base, exact: true },
            { label: tabs.tools, href: `${base}/tools` },
            { label: tabs.prompts, href: `${base}/prompts` },
            { label: tabs.resources, href: `${base}/resources` },
            { label: tabs.playground, href: `${base}/playground` },
            { label: tabs.connect, href: `${base}/connect` },
            { label: tabs.versions, href: `${base}/versions` },
          ]}
        />
      </div>
      {children}
    </div>
  );
}
