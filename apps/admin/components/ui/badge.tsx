import { cva, type VariantProps } from 'class-variance-authority';
import { CircleAlert, CircleCheck, CircleDot, CircleX, Info } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '@/components/cn';

const badge = cva(
  'inline-flex h-5 items-center gap-1 whitespace-nowrap rounded-sm border px-1.5 font-medium text-2xs leading-none',
  {
    variants: {
      tone: {
        neutral: 'border-line bg-sunken text-muted',
        ok: 'border-ok-line bg-ok-soft text-ok',
        warn: 'border-warn-line bg-warn-soft text-warn',
        danger: 'border-danger-line bg-danger-soft text-danger',
        info: 'border-info-line bg-info-soft text-info',
      },
    },
    defaultVariants: { tone: 'neutral' },
  },
);

const icons = { neutral: CircleDot, ok: CircleCheck, warn: CircleAlert, danger: CircleX, info: Info };

interface BadgeProps extends VariantProps<typeof badge> {
  children: ReactNode;
  className?: string;
  /** Icon of the tone; state is never told by colour alone. */
  icon?: boolean;
}

export function Badge({ tone, icon = true, className, children }: BadgeProps) {
  const Icon = icons[tone ?? 'neutral'];
  return (
    <span className={cn(badge({ tone }), className)}>
      {icon && tone && tone !== 'neutral' && <Icon className="size-3" aria-hidden />}
      {children}
    </span>
  );
}
