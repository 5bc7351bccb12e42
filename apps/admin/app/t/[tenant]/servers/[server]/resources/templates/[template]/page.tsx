import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { templateNoun } from '@/data/resources/resources';
import { itemPath, itemQuery } from '@/data/servers/items';
import { documentQuery } from '@/data/servers/queries';
import { tenantQuery } from '@/data/tenants/queries';
import { Paint } from '@/lib/api/paint';
import { serverGet } from '@/lib/api/server';
import { EditTemplate } from '../../_editor/edit-resource';

interface TemplatePageProps {
  params: Promise<{ tenant: string; server: string; template: string }>;
}

export async function generateMetadata({ params }: TemplatePageProps): Promise<Metadata> {
  return { title: decodeURIComponent((await params).template) };
}

export default async function TemplatePage({ params }: TemplatePageProps) {
  const { tenant, server, template: encoded } = await params;
  const uri = decodeURIComponent(encoded);
  const found = await serverGet(itemPath(templateNoun, tenant, server, uri));
  if (!found.ok && found.problem.status === 404) notFound();
  return (
    <Paint queries={[tenantQuery(tenant), itemQuery(templateNoun, tenant, server, uri), documentQuery(tenant, server)]}>
      <EditTemplate tenant={tenant} server={server} uri={uri} />
    </Paint>
  );
}
