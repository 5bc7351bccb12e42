import type { Metadata } from 'next';
import { tenantQuery } from '@/data/tenants/queries';
import { Paint } from '@/lib/api/paint';
import { endpointOrigin } from '@/lib/env';
import { t } from '@/strings';
import { PlaygroundScreen } from './playground-screen';

export const metadata: Metadata = { title: t.playground.title };

export default async function PlaygroundPage({ params }: { params: Promise<{ tenant: string; server: string }> }) {
  const { tenant, server } = await params;
  return (
    <Paint queries={[tenantQuery(tenant)]}>
      <PlaygroundScreen tenant={tenant} server={server} endpointOrigin={endpointOrigin()} />
    </Paint>
  );
}
