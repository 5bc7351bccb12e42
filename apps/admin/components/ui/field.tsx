import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { cn } from '@/components/cn';
import { t } from '@/strings';

export interface ControlProps {
  id: string;
  'aria-describedby'?: string;
  'aria-invalid'?: true;
}

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: string;
  optional?: boolean;
  className?: string;
  /** JSON Pointer of what the field edits; the error summary links to it. */
  pointer?: string;
  children: (control: ControlProps) => ReactNode;
}

/** Label, control, hint and error, tied together for assistive technology. */
export function Field({ label, hint, error, optional, className, pointer, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = [hint ? hintId : '', error ? errorId : ''].filter(Boolean).join(' ');
  return (
    <div className={cn('flex min-w-0 flex-col gap-1', className)} data-pointer={pointer}>
      <label
        htmlFor={id}
        className="flex flex-wrap items-baseline gap-x-2 font-medium text-sm [overflow-wrap:anywhere]"
      >
        {label}
        {optional && <span className="font-normal text-muted text-xs">{t.common.optional}</span>}
      </label>
      {children({ id, 'aria-describedby': describedBy || undefined, 'aria-invalid': error ? true : undefined })}
      {hint && (
        <p id={hintId} className="text-muted text-xs">
          {hint}
        </p>
      )}
      {error && (
        <p id={errorId} className="flex items-start gap-1 text-danger text-xs">
          <CircleAlert className="mt-0.5 size-3 shrink-0" aria-hidden />
          {error}
        </p>
      )}
    </div>
  );
}
