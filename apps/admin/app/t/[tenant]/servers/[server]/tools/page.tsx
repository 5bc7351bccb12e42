import type { Metadata } from 'next';
import { tenantQuery } from '@/data/tenants/queries';
import { toolsQuery } from '@/data/tools/queries';
import { Paint } from '@/lib/api/paint';
import { t } from '@/strings';
import { ToolsScreen } from './tools-screen';

export const metadata: Metadata = { title: t.tools.list.title };

export default async function ToolsPage({ params }: { params: Promise<{ tenant: string; server: string }> }) {
  const { tenant, server } = await params;
  return (
    <Paint queries={[tenantQuery(tenant), toolsQuery(tenant, server)]}>
      <ToolsScreen tenant={tenant} server={server} />
    </Paint>
  );
}
