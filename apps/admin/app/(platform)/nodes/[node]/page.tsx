import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { requireMe } from '@/data/auth/session';
import { nodesQuery } from '@/data/nodes/queries';
import { maySeeNodes, runsPlatform } from '@/lib/access';
import { Paint } from '@/lib/api/paint';
import { t } from '@/strings';
import { NodeScreen } from './node-screen';

export const metadata: Metadata = { title: t.nodes.title };

export default async function NodePage({ params }: { params: Promise<{ node: string }> }) {
  const [{ node }, me] = await Promise.all([params, requireMe()]);
  if (!me.ok || !maySeeNodes(me.data)) notFound();
  return (
    <Paint queries={[nodesQuery()]}>
      <NodeScreen id={decodeURIComponent(node)} mayDrain={runsPlatform(me.data)} />
    </Paint>
  );
}
