import type { Metadata } from 'next';
import { serversQuery } from '@/data/servers/queries';
import { Paint } from '@/lib/api/paint';
import { t } from '@/strings';
import { CallsScreen } from './calls-screen';

export const metadata: Metadata = { title: t.access.calls.title };

export default async function CallsPage({ params }: { params: Promise<{ tenant: string }> }) {
  const { tenant } = await params;
  return (
    <Paint queries={[serversQuery(tenant)]}>
      <CallsScreen tenant={tenant} />
    </Paint>
  );
}
