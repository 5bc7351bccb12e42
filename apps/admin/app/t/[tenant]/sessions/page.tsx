import type { Metadata } from 'next';
import { readFilter } from '@/data/sessions/filter';
import { sessionsQuery } from '@/data/sessions/queries';
import { tenantQuery } from '@/data/tenants/queries';
import { Paint } from '@/lib/api/paint';
import { t } from '@/strings';
import { SessionsScreen } from './sessions-screen';

export const metadata: Metadata = { title: t.sessions.title };

interface SessionsPageProps {
  params: Promise<{ tenant: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function SessionsPage({ params, searchParams }: SessionsPageProps) {
  const [{ tenant }, query] = await Promise.all([params, searchParams]);
  return (
    <Paint queries={[tenantQuery(tenant), sessionsQuery(tenant, readFilter(query))]}>
      <SessionsScreen tenant={tenant} />
    </Paint>
  );
}
