import Link from 'next/link';
import { Button } from '@/components/ui/button';
import { t } from '@/strings';

export default function NotFound() {
  return (
    <main id="main" className="mx-auto flex min-h-dvh max-w-lg flex-col items-start justify-center gap-3 p-6">
      <h1 className="font-semibold text-xl">{t.common.notFound}</h1>
      <p className="text-muted">{t.common.notFoundText}</p>
      <Button asChild>
        <Link href="/">{t.common.backHome}</Link>
      </Button>
    </main>
  );
}
