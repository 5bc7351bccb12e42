import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { AppShell } from '@/app/_shell/app-shell';
import { FullPageProblem } from '@/components/page/full-page-problem';
import { requireMe } from '@/data/auth/session';
import { getTenant } from '@/data/tenants/server';

interface LayoutProps {
  children: ReactNode;
  params: Promise<{ tenant: string }>;
}

export default async function TenantLayout({ children, params }: LayoutProps) {
  const { tenant: slug } = await params;
  const [me, tenant] = await Promise.all([requireMe(), getTenant(slug)]);
  if (!me.ok) return <FullPageProblem problem={me.problem} />;
  if (!tenant.ok) {
    if (tenant.problem.status === 404 || tenant.problem.status === 403) notFound();
    return <FullPageProblem problem={tenant.problem} />;
  }
  return (
    <AppShell me={me.data} tenant={{ slug, name: tenant.data.name }}>
      {children}
    </AppShell>
  );
}
