import { cn } from '@/components/cn';

interface CodeBlockProps {
  label: string;
  children: string;
  className?: string;
  /** Breaks long lines instead of scrolling sideways. */
  wrap?: boolean;
}

/** Text as it is, in a box of its own that scrolls, by keyboard too. */
export function CodeBlock({ label, children, className, wrap }: CodeBlockProps) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
      tabIndex={0}
      className={cn('overflow-auto rounded-md border bg-sunken p-2.5 text-xs leading-5', className)}
    >
      <pre className={cn(wrap && 'whitespace-pre-wrap break-words')}>{children}</pre>
    </section>
  );
}
