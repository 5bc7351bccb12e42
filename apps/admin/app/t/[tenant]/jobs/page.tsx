import type { Metadata } from 'next';
import { jobQueueQuery } from '@/data/jobs/queries';
import { serversQuery } from '@/data/servers/queries';
import { Paint } from '@/lib/api/paint';
import { t } from '@/strings';
import { JobsScreen } from './jobs-screen';

export const metadata: Metadata = { title: t.jobs.title };

export default async function JobsPage({ params }: { params: Promise<{ tenant: string }> }) {
  const { tenant } = await params;
  return (
    <Paint queries={[serversQuery(tenant), jobQueueQuery(tenant)]}>
      <JobsScreen tenant={tenant} />
    </Paint>
  );
}
