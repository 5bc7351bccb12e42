import type { Metadata } from 'next';
import { secretsQuery } from '@/data/secrets/queries';
import { tenantQuery } from '@/data/tenants/queries';
import { Paint } from '@/lib/api/paint';
import { t } from '@/strings';
import { SecretsScreen } from './secrets-screen';

export const metadata: Metadata = { title: t.access.secrets.title };

export default async function SecretsPage({ params }: { params: Promise<{ tenant: string }> }) {
  const { tenant } = await params;
  return (
    <Paint queries={[tenantQuery(tenant), secretsQuery(tenant)]}>
      <SecretsScreen tenant={tenant} />
    </Paint>
  );
}
