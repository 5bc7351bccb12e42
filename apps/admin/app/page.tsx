import { redirect } from 'next/navigation';
import { FullPageProblem } from '@/components/page/full-page-problem';
import { requireMe } from '@/data/auth/session';

/** Operators start at the tenants, members in their first one. */
export default async function Home() {
  const me = await requireMe();
  if (!me.ok) return <FullPageProblem problem={me.problem} />;
  const first = me.data.tenants[0];
  redirect(me.data.platformRole || me.data.kind === 'automation' || !first ? '/tenants' : `/t/${first.slug}`);
}
