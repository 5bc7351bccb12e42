'use client';
import type { PointedMessage } from '@gantry/contracts';
import { propertiesOf, type Schema } from '@/components/schema-form/model';
import { isObject } from '@/lib/json';
import { setIn } from '@/lib/set-in';
import { ArgumentField } from './argument-field';

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
