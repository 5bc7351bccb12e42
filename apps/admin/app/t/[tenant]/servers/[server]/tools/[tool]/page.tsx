import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { secretsQuery } from '@/data/secrets/queries';
import { serversQuery } from '@/data/servers/queries';
import { tenantQuery } from '@/data/tenants/queries';
import { toolPath, toolQuery } from '@/data/tools/queries';
import { Paint } from '@/lib/api/paint';
import { serverGet } from '@/lib/api/server';
import { EditTool } from '../_editor/edit-tool';

interface ToolPageProps {
  params: Promise<{ tenant: string; server: string; tool: string }>;
}

export async function generateMetadata({ params }: ToolPageProps): Promise<Metadata> {
  return { title: decodeURIComponent((await params).tool) };
}

export default async function ToolPage({ params }: ToolPageProps) {
  const { tenant, server, tool: encoded } = await params;
  const tool = decodeURIComponent(encoded);
  const found = await serverGet(toolPath(tenant, server, tool));
  if (!found.ok && found.problem.status === 404) notFound();
  return (
    <Paint queries={[tenantQuery(tenant), toolQuery(tenant, server, tool), serversQuery(tenant), secretsQuery(tenant)]}>
      <EditTool tenant={tenant} server={server} tool={tool} />
    </Paint>
  );
}
