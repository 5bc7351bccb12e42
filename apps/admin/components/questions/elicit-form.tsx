'use client';
import { CircleAlert } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '@/components/ui/button';
import { type ControlProps, Field } from '@/components/ui/field';
import { CheckField, Input, Select, Textarea } from '@/components/ui/input';
import {
  type ElicitFault,
  type ElicitField,
  type ElicitValues,
  elicitContent,
  elicitFaults,
  elicitFields,
  initialValues,
} from '@/lib/questions/elicitation';
import { t } from '@/strings';
import type { QuestionProps } from './question';

const text = t.questions.form;

/** A form made from `requestedSchema`; faults are shown from the first try to accept on. */
export function ElicitForm({ request, onAnswer }: QuestionProps) {
  const fields = elicitFields(request.params?.requestedSchema);
  const [values, setValues] = useState<ElicitValues>(() => initialValues(fields));
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const faults = elicitFaults(fields, values);

  function accept() {
    // Drawn at once, so that the first fault is there to go to.
    flushSync(() => setTried(true));
    if (Object.keys(faults).length === 0) onAnswer({ action: 'accept', content: elicitContent(fields, values) });
    else form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-fault] input')?.focus();
  }

  return (
    <form
      ref={form}
      className="flex flex-col gap-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        accept();
      }}
    >
      {fields.length === 0 && <p className="text-muted text-xs">{text.noFields}</p>}
      {fields.map((field) => (
        <ElicitControl
          key={field.name}
          field={field}
          value={values[field.name]}
          fault={tried ? faults[field.name] : undefined}
          onChange={(value) => setValues({ ...values, [field.name]: value })}
        />
      ))}
      <ElicitActions onAnswer={onAnswer} />
    </form>
  );
}

/** The three ways out of every elicitation; accept submits the form around it. */
export function ElicitActions({ onAnswer }: Pick<QuestionProps, 'onAnswer'>) {
  return (
    <div className="flex flex-wrap gap-2">
      <Button type="submit" variant="primary">
        {t.questions.accept}
      </Button>
      <Button onClick={() => onAnswer({ action: 'decline' })}>{t.questions.decline}</Button>
      <Button variant="ghost" onClick={() => onAnswer({ action: 'cancel' })}>
        {t.questions.cancel}
      </Button>
    </div>
  );
}

interface ControlOf {
  field: ElicitField;
  value: ElicitValues[string];
  fault: ElicitFault | undefined;
  onChange: (value: ElicitValues[string]) => void;
}

function ElicitControl({ field, value, fault, onChange }: ControlOf) {
  const error = fault && faultText(fault);
  if (field.kind === 'choices') return <Choices field={field} value={value} error={error} onChange={onChange} />;
  return (
    <Field label={field.title} hint={field.description} optional={!field.required} error={error}>
      {(control) => <OneControl control={control} field={field} value={value} onChange={onChange} />}
    </Field>
  );
}

const inputTypes: Record<string, string> = { email: 'email', uri: 'url', date: 'date' };

function OneControl({ control, field, value, onChange }: Omit<ControlOf, 'fault'> & { control: ControlProps }) {
  if (field.kind === 'boolean' || field.kind === 'choice') {
    const choices =
      field.kind === 'choice'
        ? field.choices
        : [
            { value: 'true', title: text.yes },
            { value: 'false', title: text.no },
          ];
    return (
      <Select
        {...control}
        value={value === undefined ? '' : String(value)}
        onChange={({ target }) => {
          if (target.value === '') onChange(undefined);
          else onChange(field.kind === 'boolean' ? target.value === 'true' : target.value);
        }}
      >
        <option value="">{text.unset}</option>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.title}
          </option>
        ))}
      </Select>
    );
  }
  const shown = typeof value === 'string' ? value : '';
  if (field.kind === 'text' && !field.format && (field.maxLength ?? 0) > 200)
    return <Textarea {...control} rows={3} value={shown} onChange={(event) => onChange(event.target.value)} />;
  return (
    <Input
      {...control}
      type={(field.kind === 'text' && inputTypes[field.format ?? '']) || 'text'}
      inputMode={field.kind === 'number' ? 'decimal' : undefined}
      value={shown}
      placeholder={field.kind === 'text' && field.format === 'date-time' ? 'YYYY-MM-DDThh:mm:ssZ' : text.unset}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function Choices({ field, value, error, onChange }: Omit<ControlOf, 'fault'> & { error: string | undefined }) {
  const errorId = useId();
  if (field.kind !== 'choices') return null;
  const chosen = Array.isArray(value) ? value : [];
  return (
    <fieldset
      className="flex min-w-0 flex-col gap-0.5"
      aria-describedby={error && errorId}
      data-fault={error ? '' : undefined}
    >
      <legend className="mb-1 font-medium text-sm">
        {field.title} {!field.required && <span className="font-normal text-muted text-xs">{t.common.optional}</span>}
      </legend>
      {field.description && <p className="text-muted text-xs">{field.description}</p>}
      {field.choices.map((choice) => (
        <CheckField
          key={choice.value}
          label={choice.title}
          checked={chosen.includes(choice.value)}
          onChange={(event) => {
            const rest = chosen.filter((entry) => entry !== choice.value);
            onChange(event.target.checked ? [...rest, choice.value] : rest);
          }}
        />
      ))}
      {error && (
        <p id={errorId} className="flex items-start gap-1 text-danger text-xs">
          <CircleAlert className="mt-0.5 size-3 shrink-0" aria-hidden />
          {error}
        </p>
      )}
    </fieldset>
  );
}

function faultText(fault: ElicitFault): string {
  const words = text.fault[fault.reason];
  return typeof words === 'string' ? words : words('limit' in fault ? fault.limit : 0);
}
