import type { ReactNode } from 'react';
import { AppShell } from '@/app/_shell/app-shell';
import { FullPageProblem } from '@/components/page/full-page-problem';
import { requireMe } from '@/data/auth/session';

export default async function PlatformLayout({ children }: { children: ReactNode }) {
  const me = await requireMe();
  if (!me.ok) return <FullPageProblem problem={me.problem} />;
  return <AppShell me={me.data}>{children}</AppShell>;
}
