import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { promptPath, promptQuery } from '@/data/prompts/prompts';
import { documentQuery } from '@/data/servers/queries';
import { tenantQuery } from '@/data/tenants/queries';
import { Paint } from '@/lib/api/paint';
import { serverGet } from '@/lib/api/server';
import { EditPrompt } from '../_editor/edit-prompt';

interface PromptPageProps {
  params: Promise<{ tenant: string; server: string; prompt: string }>;
}

export async function generateMetadata({ params }: PromptPageProps): Promise<Metadata> {
  return { title: decodeURIComponent((await params).prompt) };
}

export default async function PromptPage({ params }: PromptPageProps) {
  const { tenant, server, prompt: encoded } = await params;
  const name = decodeURIComponent(encoded);
  const found = await serverGet(promptPath(tenant, server, name));
  if (!found.ok && found.problem.status === 404) notFound();
  return (
    <Paint queries={[tenantQuery(tenant), promptQuery(tenant, server, name), documentQuery(tenant, server)]}>
      <EditPrompt tenant={tenant} server={server} name={name} />
    </Paint>
  );
}
