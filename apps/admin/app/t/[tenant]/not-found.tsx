import Link from 'next/link';
import { Button } from '@/components/ui/button';
import { t } from '@/strings';

/** Something inside a tenant that does not exist or is not the reader's to see. */
export default function NotFound() {
  return (
    <div className="flex max-w-lg flex-col items-start gap-3 py-10">
      <h1 className="font-semibold text-xl">{t.common.notFound}</h1>
      <p className="text-muted">{t.common.notFoundText}</p>
      <Button asChild>
        <Link href="/">{t.common.backHome}</Link>
      </Button>
    </div>
  );
}
