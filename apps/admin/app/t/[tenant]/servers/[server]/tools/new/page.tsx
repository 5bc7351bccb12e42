import type { Metadata } from 'next';
import Link from 'next/link';
import { PageHeader } from '@/components/page/page-header';
import { secretsQuery } from '@/data/secrets/queries';
import { tenantQuery } from '@/data/tenants/queries';
import { Paint } from '@/lib/api/paint';
import { kinds } from '@/lib/tool-document';
import { t } from '@/strings';
import { NewTool } from '../_editor/new-tool';

export const metadata: Metadata = { title: t.tools.editor.newTitle };

interface NewToolPageProps {
  params: Promise<{ tenant: string; server: string }>;
  searchParams: Promise<{ kind?: string }>;
}

export default async function NewToolPage({ params, searchParams }: NewToolPageProps) {
  const { tenant, server } = await params;
  const wanted = (await searchParams).kind;
  const kind = kinds.find((entry) => entry === wanted);
  if (kind) {
    return (
      <Paint queries={[tenantQuery(tenant), secretsQuery(tenant)]}>
        <NewTool key={kind} tenant={tenant} server={server} kind={kind} />
      </Paint>
    );
  }
  return (
    <div className="flex flex-col gap-5">
      <PageHeader title={t.tools.pick.title} description={t.tools.pick.hint} />
      <ul className="grid gap-3 sm:grid-cols-3">
        {kinds.map((entry) => (
          <li key={entry}>
            <Link
              href={`/t/${tenant}/servers/${server}/tools/new?kind=${entry}`}
              className="block h-full rounded-lg border bg-surface p-4 transition-colors duration-100 hover:border-line-strong hover:bg-hover"
            >
              <span className="font-semibold text-base">{t.tools.kinds[entry][0]}</span>
              <span className="mt-1 block text-muted text-sm">{t.tools.kinds[entry][1]}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
