import type { Metadata } from 'next';
import { requireMe } from '@/data/auth/session';
import { tenantsQuery } from '@/data/tenants/queries';
import { Paint } from '@/lib/api/paint';
import { t } from '@/strings';
import { TenantsScreen } from './tenants-screen';

export const metadata: Metadata = { title: t.servers.tenants.title };

export default async function TenantsPage() {
  const me = await requireMe();
  const mayCreate = me.ok && (me.data.platformRole === 'operator' || me.data.kind === 'automation');
  return (
    <Paint queries={[tenantsQuery()]}>
      <TenantsScreen mayCreate={mayCreate} />
    </Paint>
  );
}
