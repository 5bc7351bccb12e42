import type { Metadata } from 'next';
import { serversQuery } from '@/data/servers/queries';
import { tenantQuery } from '@/data/tenants/queries';
import { Paint } from '@/lib/api/paint';
import { t } from '@/strings';
import { ConnectScreen } from './connect-screen';

export const metadata: Metadata = { title: t.connect.title };

export default async function ConnectPage({ params }: { params: Promise<{ tenant: string; server: string }> }) {
  const { tenant, server } = await params;
  return (
    <Paint queries={[tenantQuery(tenant), serversQuery(tenant)]}>
      <ConnectScreen tenant={tenant} server={server} />
    </Paint>
  );
}
