import type { Metadata } from 'next';
import { promptsQuery } from '@/data/prompts/prompts';
import { tenantQuery } from '@/data/tenants/queries';
import { Paint } from '@/lib/api/paint';
import { t } from '@/strings';
import { PromptsScreen } from './prompts-screen';

export const metadata: Metadata = { title: t.prompts.list.title };

export default async function PromptsPage({ params }: { params: Promise<{ tenant: string; server: string }> }) {
  const { tenant, server } = await params;
  return (
    <Paint queries={[tenantQuery(tenant), promptsQuery(tenant, server)]}>
      <PromptsScreen tenant={tenant} server={server} />
    </Paint>
  );
}
