'use client';
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { cn } from '@/components/cn';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import { t } from '@/strings';

interface CopyButtonProps {
  text: string;
  /** What is copied, for the accessible name: "Copy endpoint". */
  what: string;
  /** Shows this text beside the icon. */
  label?: string;
  size?: 'sm' | 'icon-sm' | 'md';
  variant?: 'ghost' | 'secondary' | 'primary';
  /** In a table row: unseen until the row is pointed at or the button has the focus; always there for touch. */
  inRow?: boolean;
}

export function CopyButton({
  text,
  what,
  label,
  inRow,
  size = label ? 'sm' : 'icon-sm',
  variant = label ? 'secondary' : 'ghost',
}: CopyButtonProps) {
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), 1_500);
    return () => clearTimeout(timer);
  }, [done]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setDone(true);
    } catch {
      toast({ tone: 'warn', text: t.common.copyFailed });
    }
  }

  return (
    <Button
      className={cn(inRow && 'hover-device:opacity-0 group-hover/row:opacity-100 focus-visible:opacity-100')}
      size={size}
      variant={variant}
      onClick={copy}
      aria-label={label ? undefined : t.common.copyId(what)}
    >
      {done ? <Check className="text-ok" /> : <Copy />}
      {label && (done ? t.common.copied : label)}
      <span className="sr-only" aria-live="polite">
        {done && !label ? t.common.copied : ''}
      </span>
    </Button>
  );
}
