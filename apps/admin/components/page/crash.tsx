'use client';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { t } from '@/strings';

/** A fault of the console itself, with the reference the server log knows it by. */
export function Crash({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <div className="flex max-w-lg flex-col gap-4">
      <h1 className="font-semibold text-xl">{t.common.crashed}</h1>
      <Callout
        tone="danger"
        role="alert"
        title={error.message || t.common.crashed}
        actions={
          <Button size="sm" onClick={reset}>
            {t.common.retry}
          </Button>
        }
      >
        <p>{t.common.crashedText}</p>
        {error.digest && <code>{error.digest}</code>}
      </Callout>
    </div>
  );
}
