import type { Metadata } from 'next';
import { serversQuery } from '@/data/servers/queries';
import { Paint } from '@/lib/api/paint';
import { t } from '@/strings';
import { NewServerForm } from './new-server-form';

export const metadata: Metadata = { title: t.servers.create.title };

export default async function NewServerPage({ params }: { params: Promise<{ tenant: string }> }) {
  const { tenant } = await params;
  return (
    <Paint queries={[serversQuery(tenant)]}>
      <NewServerForm tenant={tenant} />
    </Paint>
  );
}
