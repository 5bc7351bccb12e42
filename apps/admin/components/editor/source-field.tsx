'use client';
import { useFieldError } from '@/components/editor/error-context';
import { CodeArea } from '@/components/ui/code-area';
import { Field } from '@/components/ui/field';

interface SourceFieldProps {
  label: string;
  hint: string;
  value: string;
  onChange: (value: string) => void;
}

/** The function of a code item, at `/code/source`. */
export function SourceField({ label, hint, value, onChange }: SourceFieldProps) {
  const errors = [useFieldError('/code/source'), useFieldError('/code')].filter(Boolean).join('; ');
  return (
    <Field label={label} hint={hint} pointer="/code/source" error={errors || undefined}>
      {(control) => (
        <CodeArea
          {...control}
          rows={Math.min(Math.max(value.split('\n').length + 2, 12), 40)}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
