import { CircleAlert, CircleCheck, CircleX, Info } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '@/components/cn';

const tones = {
  ok: ['border-ok-line bg-ok-soft', 'text-ok', CircleCheck],
  warn: ['border-warn-line bg-warn-soft', 'text-warn', CircleAlert],
  danger: ['border-danger-line bg-danger-soft', 'text-danger', CircleX],
  info: ['border-info-line bg-info-soft', 'text-info', Info],
} as const;

interface CalloutProps {
  tone: keyof typeof tones;
  title: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  className?: string;
  role?: 'alert' | 'status';
}

export function Callout({ tone, title, children, actions, className, role }: CalloutProps) {
  const [frame, color, Icon] = tones[tone];
  return (
    <div
      role={role}
      className={cn('flex animate-appear gap-2.5 rounded-md border px-3 py-2.5 text-sm', frame, className)}
    >
      <Icon className={cn('mt-0.5 size-4 shrink-0', color)} aria-hidden />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p className={cn('font-medium', color)}>{title}</p>
        {children && <div className="break-words text-text">{children}</div>}
        {actions && <div className="mt-1 flex flex-wrap gap-2">{actions}</div>}
      </div>
    </div>
  );
}
