import type { Metadata } from 'next';
import { NothingToSee } from '@/components/page/empty-state';
import { PageHeader } from '@/components/page/page-header';
import { requireMe } from '@/data/auth/session';
import { nodesQuery } from '@/data/nodes/queries';
import { maySeeNodes, runsPlatform } from '@/lib/access';
import { Paint } from '@/lib/api/paint';
import { t } from '@/strings';
import { NodesScreen } from './nodes-screen';

export const metadata: Metadata = { title: t.nodes.title };

export default async function NodesPage() {
  const me = await requireMe();
  if (!me.ok || !maySeeNodes(me.data)) {
    return (
      <div className="flex flex-col gap-5">
        <PageHeader title={t.nodes.title} />
        <NothingToSee title={t.nodes.notYours}>{t.nodes.notYoursText}</NothingToSee>
      </div>
    );
  }
  return (
    <Paint queries={[nodesQuery()]}>
      <NodesScreen mayDrain={runsPlatform(me.data)} />
    </Paint>
  );
}
