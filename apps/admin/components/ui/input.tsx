import { ChevronDown } from 'lucide-react';
import type { InputHTMLAttributes, Ref, SelectHTMLAttributes, TextareaHTMLAttributes } from 'react';
import { cn } from '@/components/cn';

const control =
  'w-full min-w-0 rounded-md border border-line-strong bg-surface text-sm text-text placeholder:text-muted transition-colors duration-100 hover:border-muted focus-visible:outline-offset-0 disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted aria-invalid:border-danger';

export function Input({
  className,
  ...props
}: InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }) {
  return <input className={cn(control, 'h-8 px-2.5', className)} {...props} />;
}

export function Textarea({
  className,
  ...props
}: TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement> }) {
  return <textarea className={cn(control, 'min-h-16 px-2.5 py-1.5 leading-5', className)} {...props} />;
}

export function Select({ className, children, ...props }: SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <span className={cn('relative inline-flex w-full min-w-0', className)}>
      <select className={cn(control, 'h-8 appearance-none pr-7 pl-2.5')} {...props}>
        {children}
      </select>
      <ChevronDown className="pointer-events-none absolute top-2 right-2 size-4 text-muted" aria-hidden />
    </span>
  );
}

export function Checkbox({ className, ...props }: InputHTMLAttributes<HTMLInputElement>) {
  return <input type="checkbox" className={cn('size-4 shrink-0 rounded-sm accent-accent', className)} {...props} />;
}

/** A checkbox with its label and hint in one target of at least 24 px. */
export function CheckField({
  label,
  hint,
  className,
  ...props
}: InputHTMLAttributes<HTMLInputElement> & { label: React.ReactNode; hint?: React.ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox inside is the control
    <label className={cn('flex min-h-6 cursor-pointer items-start gap-2 py-0.5 text-sm', className)}>
      <Checkbox className="mt-0.5" {...props} />
      <span className="min-w-0">
        {label}
        {hint && <span className="block text-muted text-xs">{hint}</span>}
      </span>
    </label>
  );
}
