import type { Metadata } from 'next';
import { recentCallsQuery } from '@/data/calls/queries';
import { apiKeysQuery } from '@/data/keys/queries';
import { serversQuery } from '@/data/servers/queries';
import { tenantQuery } from '@/data/tenants/queries';
import { Paint } from '@/lib/api/paint';
import { t } from '@/strings';
import { recentCount } from './overview/checklist';
import { TenantOverview } from './overview/tenant-overview';

export const metadata: Metadata = { title: t.servers.overview.title };

export default async function TenantPage({ params }: { params: Promise<{ tenant: string }> }) {
  const { tenant } = await params;
  return (
    <Paint
      queries={[tenantQuery(tenant), serversQuery(tenant), apiKeysQuery(tenant), recentCallsQuery(tenant, recentCount)]}
    >
      <TenantOverview tenant={tenant} />
    </Paint>
  );
}
