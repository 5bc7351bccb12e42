'use client';
import { Crash } from '@/components/page/crash';

export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <main id="main" className="mx-auto max-w-lg p-6 pt-24">
      <Crash error={error} reset={reset} />
    </main>
  );
}
