'use client';
import { useFieldError } from '@/components/editor/error-context';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';

interface LineFieldProps {
  label: string;
  hint?: string;
  pointer: string;
  optional?: boolean;
  /** For text that is typed by machines' rules: names, URIs, media types. */
  mono?: boolean;
  maxLength?: number;
  value: string;
  onChange: (value: string) => void;
}

/** One line of a document, with its fault beside it. */
export function LineField({ label, hint, pointer, optional, mono, maxLength, value, onChange }: LineFieldProps) {
  return (
    <Field label={label} hint={hint} pointer={pointer} optional={optional} error={useFieldError(pointer)}>
      {(control) => (
        <Input
          {...control}
          className={mono ? 'font-mono text-[12.5px]' : undefined}
          spellCheck={mono ? false : undefined}
          maxLength={maxLength}
          autoComplete="off"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
