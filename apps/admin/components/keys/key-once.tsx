'use client';
import { useEffect } from 'react';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Input } from '@/components/ui/input';
import { t } from '@/strings';

const text = t.access.keys.once;

/** The browser asks before the page is left while a key is in sight that nobody will see again. */
export function useLeaveWarning(active: boolean): void {
  useEffect(() => {
    if (!active) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [active]);
}

/** A key in full, in the one place and at the one time it is shown. */
export function KeyOnce({ value, name }: { value: string; name: string }) {
  function download() {
    const url = URL.createObjectURL(new Blob([`${value}\n`], { type: 'text/plain' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = `${name.replace(/[^\w-]+/g, '-')}.key`;
    link.click();
    URL.revokeObjectURL(url);
  }
  return (
    <div className="flex flex-wrap gap-2">
      <Input
        readOnly
        aria-label={text.label}
        className="min-w-52 flex-1 font-mono text-[12.5px]"
        value={value}
        onFocus={(event) => event.target.select()}
      />
      <CopyButton text={value} what={text.label} label={t.common.copy} size="md" variant="primary" />
      <Button onClick={download}>{text.download}</Button>
    </div>
  );
}
