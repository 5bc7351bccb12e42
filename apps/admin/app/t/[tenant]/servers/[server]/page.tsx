import type { Metadata } from 'next';
import { documentQuery, serversQuery } from '@/data/servers/queries';
import { tenantQuery } from '@/data/tenants/queries';
import { toolsQuery } from '@/data/tools/queries';
import { Paint } from '@/lib/api/paint';
import { t } from '@/strings';
import { ServerOverview } from './overview/server-overview';

export const metadata: Metadata = { title: t.shell.tabs.overview };

export default async function ServerPage({ params }: { params: Promise<{ tenant: string; server: string }> }) {
  const { tenant, server } = await params;
  return (
    <Paint
      queries={[tenantQuery(tenant), serversQuery(tenant), documentQuery(tenant, server), toolsQuery(tenant, server)]}
    >
      <ServerOverview tenant={tenant} server={server} />
    </Paint>
  );
}
