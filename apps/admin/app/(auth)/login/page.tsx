import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { FullPageProblem } from '@/components/page/full-page-problem';
import { getMe } from '@/data/auth/session';
import { serverGet } from '@/lib/api/server';
import { t } from '@/strings';
import { LoginForm } from './login-form';
import { safeNext } from './safe-next';

export const metadata: Metadata = { title: t.auth.signIn };

export default async function LoginPage({
  searchParams,
}: {
  searchParams: Promise<{ next?: string; expired?: string }>;
}) {
  const query = await searchParams;
  const setup = await serverGet<{ needed: boolean }>('/api/v1/setup');
  if (!setup.ok && setup.problem.status === 503) return <FullPageProblem problem={setup.problem} />;
  if (setup.ok && setup.data.needed) redirect('/setup');
  const next = safeNext(query.next);
  if ((await getMe()).ok) redirect(next);
  return <LoginForm next={next} expired={query.expired === '1'} />;
}
