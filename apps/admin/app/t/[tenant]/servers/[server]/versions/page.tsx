import type { Metadata } from 'next';
import { getMe } from '@/data/auth/session';
import { revisionsQuery, serversQuery } from '@/data/servers/queries';
import { tenantQuery } from '@/data/tenants/queries';
import { Paint } from '@/lib/api/paint';
import { t } from '@/strings';
import { VersionsScreen } from './versions-screen';

export const metadata: Metadata = { title: t.servers.versions.title };

export default async function VersionsPage({ params }: { params: Promise<{ tenant: string; server: string }> }) {
  const { tenant, server } = await params;
  const me = await getMe();
  return (
    <Paint queries={[tenantQuery(tenant), serversQuery(tenant), revisionsQuery(tenant, server)]}>
      <VersionsScreen tenant={tenant} server={server} reader={me.ok ? me.data.id : undefined} />
    </Paint>
  );
}
