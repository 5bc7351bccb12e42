import type { Metadata } from 'next';
import { PickKind } from '@/components/editor/pick-kind';
import { documentQuery } from '@/data/servers/queries';
import { tenantQuery } from '@/data/tenants/queries';
import { Paint } from '@/lib/api/paint';
import { resourceKinds } from '@/lib/resource-document';
import { t } from '@/strings';
import { NewResource } from '../_editor/edit-resource';

export const metadata: Metadata = { title: t.resources.editor.resource.newTitle };

interface NewResourcePageProps {
  params: Promise<{ tenant: string; server: string }>;
  searchParams: Promise<{ kind?: string }>;
}

export default async function NewResourcePage({ params, searchParams }: NewResourcePageProps) {
  const { tenant, server } = await params;
  const wanted = (await searchParams).kind;
  const kind = resourceKinds.find((entry) => entry === wanted);
  if (kind) {
    return (
      <Paint queries={[tenantQuery(tenant), documentQuery(tenant, server)]}>
        <NewResource key={kind} tenant={tenant} server={server} kind={kind} />
      </Paint>
    );
  }
  return (
    <PickKind
      title={t.resources.editor.resource.newTitle}
      hint={t.resources.pick.hint}
      kinds={resourceKinds.map((entry) => ({
        href: `/t/${tenant}/servers/${server}/resources/new?kind=${entry}`,
        name: t.resources.kinds[entry][0],
        text: t.resources.kinds[entry][1],
      }))}
    />
  );
}
