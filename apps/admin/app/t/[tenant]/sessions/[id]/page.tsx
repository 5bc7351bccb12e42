import type { Metadata } from 'next';
import { isStateless, messagesQuery, sessionQuery } from '@/data/sessions/queries';
import { tenantQuery } from '@/data/tenants/queries';
import { Paint } from '@/lib/api/paint';
import { t } from '@/strings';
import { SessionScreen } from './session-screen';

export const metadata: Metadata = { title: t.sessions.detail.title };

export default async function SessionPage({ params }: { params: Promise<{ tenant: string; id: string }> }) {
  const { tenant, id: segment } = await params;
  const id = decodeURIComponent(segment);
  return (
    <Paint
      queries={[tenantQuery(tenant), sessionQuery(tenant, id), ...(isStateless(id) ? [] : [messagesQuery(tenant, id)])]}
    >
      <SessionScreen tenant={tenant} id={id} />
    </Paint>
  );
}
