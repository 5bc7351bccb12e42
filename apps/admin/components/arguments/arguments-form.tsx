'use client';
import type { PointedMessage } from '@gantry/contracts';
import { Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { propertiesOf, type Schema, typeOf } from '@/components/schema-form/model';
import { Button } from '@/components/ui/button';
import { type ControlProps, Field } from '@/components/ui/field';
import { Input, Textarea } from '@/components/ui/input';
import { isObject } from '@/lib/json';
import { fieldError } from '@/lib/pointer';
import { setIn } from '@/lib/set-in';
import { t } from '@/strings';
import { Choice, Group, JsonField, NumberField } from './argument-controls';
import { blankItem, choicesOf } from './arguments-model';

const text = t.tryIt;

interface ArgumentsFormProps {
  schema: Schema;
  value: Record<string, unknown>;
  onChange: (value: Record<string, unknown>) => void;
  errors: readonly PointedMessage[];
  /** Pointer of this object in what is sent. */
  pointer: string;
}

/** A form made from an object schema. A field left empty is not sent at all, rather than sent as "" or 0. */
export function ArgumentsForm({ schema, value, onChange, errors, pointer }: ArgumentsFormProps) {
  return (
    <div className="flex flex-col gap-3">
      {propertiesOf(schema).map((property) => (
        <ArgumentField
          key={property.name}
          name={property.name}
          schema={property.schema}
          required={property.required}
          value={isObject(value) ? value[property.name] : undefined}
          onChange={(next) => onChange(setIn(value, [property.name], next))}
          errors={errors}
          pointer={`${pointer}/${property.name.replaceAll('~', '~0').replaceAll('/', '~1')}`}
        />
      ))}
    </div>
  );
}

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
function ArgumentField(props: ArgumentFieldProps) {
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
