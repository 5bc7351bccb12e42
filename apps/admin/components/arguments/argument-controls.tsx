'use client';
import { type ReactNode, useState } from 'react';
import { type ControlProps, Field } from '@/components/ui/field';
import { Input, Select, Textarea } from '@/components/ui/input';
import { parseJson } from '@/lib/json';
import { t } from '@/strings';
import { readNumber } from './arguments-model';

const text = t.tryIt;

/** A frame round the fields of one object or list. */
export function Group({
  label,
  hint,
  error,
  children,
}: {
  label: string;
  hint?: string;
  error?: string;
  children: ReactNode;
}) {
  return (
    <fieldset className="min-w-0 rounded-md border p-2.5">
      <legend className="px-1 font-medium font-mono text-[12.5px] [overflow-wrap:anywhere]">{label}</legend>
      {hint && <p className="mb-2 text-muted text-xs">{hint}</p>}
      {error && <p className="mb-2 text-danger text-xs">{error}</p>}
      {children}
    </fieldset>
  );
}

/** One of a list of values. */
export function Choice({
  control,
  choices,
  value,
  onChange,
}: {
  control: ControlProps;
  choices: unknown[];
  value: unknown;
  onChange: (value: unknown) => void;
}) {
  const at = choices.indexOf(value);
  const name = (choice: unknown) => (choice === true ? text.yes : choice === false ? text.no : String(choice));
  return (
    <Select
      {...control}
      value={at < 0 ? '' : at}
      onChange={(event) => onChange(event.target.value === '' ? undefined : choices[Number(event.target.value)])}
    >
      <option value="">{text.unset}</option>
      {choices.map((choice, index) => (
        <option key={JSON.stringify(choice)} value={index}>
          {name(choice)}
        </option>
      ))}
    </Select>
  );
}

interface WrittenFieldProps {
  label: ReactNode;
  hint?: string;
  optional: boolean;
  error?: string;
  value: unknown;
  onChange: (value: unknown) => void;
}

/** A number as typed; one that cannot be sent exactly is refused. */
export function NumberField({ label, hint, optional, error, value, onChange }: WrittenFieldProps) {
  const [draft, setDraft] = useState<string>();
  const reading = draft ? readNumber(draft) : undefined;
  const fault = reading && !reading.ok ? (reading.reason === 'not-exact' ? text.unsafeNumber : text.notANumber) : error;
  return (
    <Field label={label} hint={hint} optional={optional} error={fault}>
      {(control) => (
        <Input
          {...control}
          inputMode="decimal"
          className="font-mono"
          placeholder={text.unset}
          value={draft ?? (value === undefined ? '' : String(value))}
          onChange={(event) => {
            setDraft(event.target.value);
            const next = readNumber(event.target.value);
            onChange(event.target.value !== '' && next.ok ? next.value : undefined);
          }}
        />
      )}
    </Field>
  );
}

/** Any value, written as JSON; what is not JSON yet is not sent. */
export function JsonField({ label, hint, optional, error, value, onChange }: WrittenFieldProps) {
  const [draft, setDraft] = useState<string>();
  const shown = draft ?? (value === undefined ? '' : JSON.stringify(value));
  const bad = draft !== undefined && draft !== '' && !parseJson(draft).ok;
  return (
    <Field label={label} hint={hint ?? text.asJson} optional={optional} error={bad ? text.badJson : error}>
      {(control) => (
        <Textarea
          {...control}
          rows={2}
          spellCheck={false}
          className="font-mono text-[12.5px]"
          placeholder={text.unset}
          value={shown}
          onChange={(event) => {
            setDraft(event.target.value);
            const parsed = parseJson(event.target.value);
            onChange(event.target.value !== '' && parsed.ok ? parsed.value : undefined);
          }}
        />
      )}
    </Field>
  );
}
