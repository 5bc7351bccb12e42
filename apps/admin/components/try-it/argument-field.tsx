'use client';
import type { PointedMessage } from '@gantry/contracts';
import { Plus, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type Schema, typeOf } from '@/components/schema-form/model';
import { Button } from '@/components/ui/button';
import { type ControlProps, Field } from '@/components/ui/field';
import { Input, Select, Textarea } from '@/components/ui/input';
import { isObject, parseJson } from '@/lib/json';
import { fieldError } from '@/lib/pointer';
import { t } from '@/strings';
import { ArgumentsForm } from './arguments-form';
import { blankItem, choicesOf, readNumber } from './arguments-model';

const text = t.tryIt;

interface ArgumentFieldProps {
  name: string;
  schema: Schema;
  required: boolean;
  value: unknown;
  /** `undefined` takes the argument out. */
  onChange: (value: unknown) => void;
  errors: readonly PointedMessage[];
  pointer: string;
}

/** One argument, with the control its schema asks for; what no control fits is written as JSON. */
export function ArgumentField(props: ArgumentFieldProps) {
  const { name, schema, required, value, onChange, errors, pointer } = props;
  const type = typeOf(schema);
  const label = <span className="font-mono text-[12.5px]">{name}</span>;
  const hint = typeof schema.description === 'string' ? schema.description : undefined;
  const error = fieldError(errors, pointer);
  if (type === 'object' && isObject(schema.properties)) {
    return (
      <Group label={name} hint={hint} error={error}>
        <ArgumentsForm
          schema={schema}
          value={isObject(value) ? value : {}}
          onChange={onChange}
          errors={errors}
          pointer={pointer}
        />
      </Group>
    );
  }
  if (type === 'array' && isObject(schema.items)) {
    return (
      <Group label={name} hint={hint} error={error}>
        <ListItems {...props} items={schema.items} />
      </Group>
    );
  }
  const field = (control: (props: ControlProps) => ReactNode) => (
    <Field label={label} hint={hint} optional={!required} error={error}>
      {control}
    </Field>
  );
  const choices = choicesOf(schema) ?? (type === 'boolean' ? [true, false] : undefined);
  if (choices)
    return field((control) => <Choice control={control} choices={choices} value={value} onChange={onChange} />);
  if (type === 'string') {
    const long = typeof schema.maxLength === 'number' ? schema.maxLength > 200 : String(value ?? '').includes('\n');
    const Control = long ? Textarea : Input;
    return field((control) => (
      <Control
        {...control}
        placeholder={text.unset}
        value={typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)}
        onChange={(event: { target: { value: string } }) =>
          onChange(event.target.value === '' ? undefined : event.target.value)
        }
      />
    ));
  }
  const written = { label, hint, optional: !required, error, value, onChange };
  if (type === 'integer' || type === 'number') return <NumberField {...written} />;
  return <JsonField {...written} />;
}

function Group({
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
      <legend className="px-1 font-medium font-mono text-[12.5px]">{label}</legend>
      {hint && <p className="mb-2 text-muted text-xs">{hint}</p>}
      {error && <p className="mb-2 text-danger text-xs">{error}</p>}
      {children}
    </fieldset>
  );
}

function Choice({
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

function NumberField({ label, hint, optional, error, value, onChange }: WrittenFieldProps) {
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

function JsonField({ label, hint, optional, error, value, onChange }: WrittenFieldProps) {
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

function ListItems({ items, value, onChange, errors, pointer }: ArgumentFieldProps & { items: Schema }) {
  const list = Array.isArray(value) ? value : [];
  return (
    <div className="flex flex-col gap-2">
      {list.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an item is known by its place alone
        <div key={index} className="flex items-start gap-1">
          <div className="min-w-0 flex-1">
            <ArgumentField
              name={String(index)}
              schema={items}
              required
              value={item}
              errors={errors}
              pointer={`${pointer}/${index}`}
              onChange={(next) =>
                onChange(list.map((old, i) => (i === index ? (next === undefined ? blankItem(items) : next) : old)))
              }
            />
          </div>
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={text.removeItem(index)}
            onClick={() => onChange(list.length > 1 ? list.filter((_item, i) => i !== index) : undefined)}
          >
            <X />
          </Button>
        </div>
      ))}
      <Button size="sm" className="self-start" onClick={() => onChange([...list, blankItem(items)])}>
        <Plus /> {text.addItem}
      </Button>
    </div>
  );
}
