import type { ReactNode } from 'react';
import { FullPageProblem } from '@/components/page/full-page-problem';
import { AppShell } from '@/components/shell/app-shell';
import { requireMe } from '@/data/auth/session';

export default async function PlatformLayout({ children }: { children: ReactNode }) {
  const me = await requireMe();
  if (!me.ok) return <FullPageProblem problem={me.problem} />;
  return <AppShell me={me.data}>{children}</AppShell>;
}
