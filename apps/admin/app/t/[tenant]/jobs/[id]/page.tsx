import type { Metadata } from 'next';
import { jobQuery } from '@/data/jobs/queries';
import { tenantQuery } from '@/data/tenants/queries';
import { Paint } from '@/lib/api/paint';
import { t } from '@/strings';
import { JobScreen } from './job-screen';

export const metadata: Metadata = { title: t.jobs.detail.title };

export default async function JobPage({ params }: { params: Promise<{ tenant: string; id: string }> }) {
  const { tenant, id: segment } = await params;
  const id = decodeURIComponent(segment);
  return (
    <Paint queries={[tenantQuery(tenant), jobQuery(tenant, id)]}>
      <JobScreen tenant={tenant} id={id} />
    </Paint>
  );
}
