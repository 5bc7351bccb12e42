import type { Metadata } from 'next';
import { apiKeysQuery } from '@/data/keys/queries';
import { serversQuery } from '@/data/servers/queries';
import { tenantQuery } from '@/data/tenants/queries';
import { Paint } from '@/lib/api/paint';
import { t } from '@/strings';
import { KeysScreen } from './keys-screen';

export const metadata: Metadata = { title: t.access.keys.title };

export default async function KeysPage({ params }: { params: Promise<{ tenant: string }> }) {
  const { tenant } = await params;
  return (
    <Paint queries={[tenantQuery(tenant), apiKeysQuery(tenant), serversQuery(tenant)]}>
      <KeysScreen tenant={tenant} now={Date.now()} />
    </Paint>
  );
}
