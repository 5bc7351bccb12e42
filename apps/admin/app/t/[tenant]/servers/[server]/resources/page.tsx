import type { Metadata } from 'next';
import { resourcesQuery, templatesQuery } from '@/data/resources/resources';
import { tenantQuery } from '@/data/tenants/queries';
import { Paint } from '@/lib/api/paint';
import { t } from '@/strings';
import { ResourcesScreen } from './resources-screen';

export const metadata: Metadata = { title: t.resources.list.title };

export default async function ResourcesPage({ params }: { params: Promise<{ tenant: string; server: string }> }) {
  const { tenant, server } = await params;
  return (
    <Paint queries={[tenantQuery(tenant), resourcesQuery(tenant, server), templatesQuery(tenant, server)]}>
      <ResourcesScreen tenant={tenant} server={server} />
    </Paint>
  );
}
