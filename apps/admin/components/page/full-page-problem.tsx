'use client';
import type { Problem } from '@gantry/contracts';
import { useRouter } from 'next/navigation';
import { ProblemView } from '@/components/page/problem-callout';
import { Button } from '@/components/ui/button';
import { t } from '@/strings';

/** The whole view failed: the frame cannot be drawn without it. */
export function FullPageProblem({ problem }: { problem: Problem }) {
  const router = useRouter();
  return (
    <main id="main" className="mx-auto flex min-h-dvh max-w-lg flex-col justify-center gap-4 p-6">
      <h1 className="font-semibold text-xl">{t.common.product}</h1>
      <ProblemView
        problem={problem}
        actions={
          <Button size="sm" onClick={() => router.refresh()}>
            {t.common.retry}
          </Button>
        }
      />
    </main>
  );
}
