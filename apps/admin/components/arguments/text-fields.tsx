'use client';
import type { PointedMessage } from '@gantry/contracts';
import { useId } from 'react';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { fieldError, toPointer } from '@/lib/pointer';
import { t } from '@/strings';

export interface TextField {
  name: string;
  title?: string;
  description?: string;
  required?: boolean;
  /** Offered while it is typed. */
  suggestions?: readonly string[];
}

interface TextFieldsProps {
  fields: readonly TextField[];
  values: Readonly<Record<string, string>>;
  onChange: (values: Record<string, string>) => void;
  /** Told of each change of one field, for suggestions that are asked for. */
  onType?: (name: string, value: string) => void;
  errors?: readonly PointedMessage[];
}

/** Arguments that are all texts: those of a prompt, or the variables of a template. An empty one is not sent. */
export function TextFields({ fields, values, onChange, onType, errors = [] }: TextFieldsProps) {
  const lists = useId();
  return (
    <div className="flex flex-col gap-3">
      {fields.map((field) => (
        <Field
          key={field.name}
          label={<span className="font-mono text-[12.5px]">{field.title ?? field.name}</span>}
          hint={field.description}
          optional={!field.required}
          error={fieldError(errors, toPointer(['arguments', field.name]))}
        >
          {(control) => (
            <>
              <Input
                {...control}
                autoComplete="off"
                placeholder={field.required ? undefined : t.tryIt.unset}
                list={field.suggestions ? `${lists}-${field.name}` : undefined}
                value={values[field.name] ?? ''}
                onFocus={() => onType?.(field.name, values[field.name] ?? '')}
                onChange={(event) => {
                  const { [field.name]: _old, ...rest } = values;
                  const { value } = event.target;
                  onChange(value === '' ? rest : { ...rest, [field.name]: value });
                  onType?.(field.name, value);
                }}
              />
              {field.suggestions && (
                <datalist id={`${lists}-${field.name}`}>
                  {field.suggestions.map((value) => (
                    <option key={value} value={value} />
                  ))}
                </datalist>
              )}
            </>
          )}
        </Field>
      ))}
    </div>
  );
}
