import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { resourceNoun } from '@/data/resources/resources';
import { itemPath, itemQuery } from '@/data/servers/items';
import { documentQuery } from '@/data/servers/queries';
import { tenantQuery } from '@/data/tenants/queries';
import { Paint } from '@/lib/api/paint';
import { serverGet } from '@/lib/api/server';
import { EditResource } from '../_editor/edit-resource';

interface ResourcePageProps {
  params: Promise<{ tenant: string; server: string; resource: string }>;
}

export async function generateMetadata({ params }: ResourcePageProps): Promise<Metadata> {
  return { title: decodeURIComponent((await params).resource) };
}

export default async function ResourcePage({ params }: ResourcePageProps) {
  const { tenant, server, resource: encoded } = await params;
  const uri = decodeURIComponent(encoded);
  const found = await serverGet(itemPath(resourceNoun, tenant, server, uri));
  if (!found.ok && found.problem.status === 404) notFound();
  return (
    <Paint queries={[tenantQuery(tenant), itemQuery(resourceNoun, tenant, server, uri), documentQuery(tenant, server)]}>
      <EditResource tenant={tenant} server={server} uri={uri} />
    </Paint>
  );
}
