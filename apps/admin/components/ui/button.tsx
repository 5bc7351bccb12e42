import { cva, type VariantProps } from 'class-variance-authority';
import { Slot } from 'radix-ui';
import type { ButtonHTMLAttributes, Ref } from 'react';
import { cn } from '@/components/cn';

const button = cva(
  'inline-flex shrink-0 select-none items-center justify-center gap-1.5 whitespace-nowrap rounded-md border font-medium transition-colors duration-100 disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0',
  {
    variants: {
      variant: {
        primary: 'border-transparent bg-accent text-on-accent hover:bg-accent-strong',
        secondary: 'border-line-strong/60 bg-surface text-text hover:bg-hover',
        ghost: 'border-transparent bg-transparent text-muted hover:bg-hover hover:text-text',
        danger: 'border-transparent bg-danger-strong text-white hover:brightness-110',
        'danger-quiet': 'border-line-strong/60 bg-surface text-danger hover:bg-danger-soft',
        link: 'h-auto border-transparent p-0 text-accent-text underline-offset-3 hover:underline',
      },
      size: { md: 'h-8 px-3 text-sm', sm: 'h-7 px-2 text-xs', icon: 'size-8', 'icon-sm': 'size-6' },
    },
    compoundVariants: [{ variant: 'link', className: 'h-auto px-0' }],
    defaultVariants: { variant: 'secondary', size: 'md' },
  },
);

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, VariantProps<typeof button> {
  /** Renders the child (a link) with the looks of a button. */
  asChild?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export function Button({ variant, size, asChild, className, type = 'button', ...props }: ButtonProps) {
  const classes = cn(button({ variant, size }), className);
  if (asChild) return <Slot.Root className={classes} {...props} />;
  return <button type={type} className={classes} {...props} />;
}
