import type { Metadata } from 'next';
import { PickKind } from '@/components/editor/pick-kind';
import { documentQuery } from '@/data/servers/queries';
import { tenantQuery } from '@/data/tenants/queries';
import { Paint } from '@/lib/api/paint';
import { templateKinds } from '@/lib/resource-document';
import { t } from '@/strings';
import { NewTemplate } from '../../_editor/edit-resource';

export const metadata: Metadata = { title: t.resources.editor.template.newTitle };

interface NewTemplatePageProps {
  params: Promise<{ tenant: string; server: string }>;
  searchParams: Promise<{ kind?: string }>;
}

export default async function NewTemplatePage({ params, searchParams }: NewTemplatePageProps) {
  const { tenant, server } = await params;
  const wanted = (await searchParams).kind;
  const kind = templateKinds.find((entry) => entry === wanted);
  if (kind) {
    return (
      <Paint queries={[tenantQuery(tenant), documentQuery(tenant, server)]}>
        <NewTemplate key={kind} tenant={tenant} server={server} kind={kind} />
      </Paint>
    );
  }
  return (
    <PickKind
      title={t.resources.editor.template.newTitle}
      hint={t.resources.pick.hint}
      kinds={templateKinds.map((entry) => ({
        href: `/t/${tenant}/servers/${server}/resources/templates/new?kind=${entry}`,
        name: t.resources.kinds[entry][0],
        text: t.resources.kinds[entry][1],
      }))}
    />
  );
}
