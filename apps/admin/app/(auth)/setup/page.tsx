import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { FullPageProblem } from '@/components/page/full-page-problem';
import { serverGet } from '@/lib/api/server';
import { t } from '@/strings';
import { SetupForm } from './setup-form';

export const metadata: Metadata = { title: t.auth.setupTitle };

export default async function SetupPage() {
  const setup = await serverGet<{ needed: boolean }>('/api/v1/setup');
  if (!setup.ok && setup.problem.status !== 404) return <FullPageProblem problem={setup.problem} />;
  if (!setup.ok || !setup.data.needed) notFound();
  return <SetupForm />;
}
