import type { Metadata } from 'next';
import { serversQuery } from '@/data/servers/queries';
import { tenantQuery } from '@/data/tenants/queries';
import { Paint } from '@/lib/api/paint';
import { t } from '@/strings';
import { ServersScreen } from './servers-screen';

export const metadata: Metadata = { title: t.servers.list.title };

export default async function ServersPage({ params }: { params: Promise<{ tenant: string }> }) {
  const { tenant } = await params;
  return (
    <Paint queries={[tenantQuery(tenant), serversQuery(tenant)]}>
      <ServersScreen tenant={tenant} />
    </Paint>
  );
}
