import type { Metadata } from 'next';
import { PickKind } from '@/components/editor/pick-kind';
import { documentQuery } from '@/data/servers/queries';
import { tenantQuery } from '@/data/tenants/queries';
import { Paint } from '@/lib/api/paint';
import { promptKinds } from '@/lib/prompt-document';
import { t } from '@/strings';
import { NewPrompt } from '../_editor/edit-prompt';

export const metadata: Metadata = { title: t.prompts.editor.newTitle };

interface NewPromptPageProps {
  params: Promise<{ tenant: string; server: string }>;
  searchParams: Promise<{ kind?: string }>;
}

export default async function NewPromptPage({ params, searchParams }: NewPromptPageProps) {
  const { tenant, server } = await params;
  const wanted = (await searchParams).kind;
  const kind = promptKinds.find((entry) => entry === wanted);
  if (kind) {
    return (
      <Paint queries={[tenantQuery(tenant), documentQuery(tenant, server)]}>
        <NewPrompt key={kind} tenant={tenant} server={server} kind={kind} />
      </Paint>
    );
  }
  return (
    <PickKind
      title={t.prompts.editor.newTitle}
      hint={t.prompts.pick.hint}
      kinds={promptKinds.map((entry) => ({
        href: `/t/${tenant}/servers/${server}/prompts/new?kind=${entry}`,
        name: t.prompts.kinds[entry][0],
        text: t.prompts.kinds[entry][1],
      }))}
    />
  );
}
