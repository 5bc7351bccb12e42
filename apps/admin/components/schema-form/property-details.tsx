'use client';
import { useState } from 'react';
import {
  type FormType,
  fieldsOf,
  formTypes,
  otherKeywords,
  parseEnum,
  type Schema,
  setKeyword,
  setType,
  typeOf,
} from '@/components/schema-form/model';
import { OtherKeywords } from '@/components/schema-form/other-keywords';
import { Field } from '@/components/ui/field';
import { Input, Select, Textarea } from '@/components/ui/input';
import { isObject, parseJson } from '@/lib/json';
import { t } from '@/strings';

const text = t.tools.schema;
const numeric = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'] as const;
const plain = ['format', 'pattern'] as const;

interface DetailsProps {
  name: string;
  type: FormType;
  schema: Schema;
  onChange: (schema: Schema) => void;
}

/** The keywords of one property beyond name, type and description. */
export function PropertyDetails({ name, type, schema, onChange }: DetailsProps) {
  const has = (keyword: string) => fieldsOf(type).includes(keyword);
  const others = otherKeywords(schema);
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {has('items') && (
        <Field label={text.items}>
          {(control) => (
            <Select
              {...control}
              value={typeOf(schema.items)}
              onChange={(event) =>
                onChange(
                  setKeyword(
                    schema,
                    'items',
                    setType(isObject(schema.items) ? schema.items : {}, event.target.value as FormType),
                  ),
                )
              }
            >
              {typeOf(schema.items) === 'other' && <option value="other">{text.other}</option>}
              {formTypes.map((value) => (
                <option key={value} value={value}>
                  {text.types[value]}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      {has('enum') && (
        <Field label={text.enum} hint={text.enumHint} className="sm:col-span-2">
          {(control) => (
            <EnumArea
              {...control}
              type={type}
              value={schema.enum}
              onChange={(value) => onChange(setKeyword(schema, 'enum', value))}
            />
          )}
        </Field>
      )}
      {plain.filter(has).map((keyword) => (
        <Field key={keyword} label={text[keyword]}>
          {(control) => (
            <Input
              {...control}
              className="font-mono"
              value={typeof schema[keyword] === 'string' ? schema[keyword] : ''}
              onChange={(event) => onChange(setKeyword(schema, keyword, event.target.value || undefined))}
            />
          )}
        </Field>
      ))}
      {numeric.filter(has).map((keyword) => (
        <Field key={keyword} label={text[keyword]}>
          {(control) => (
            <Input
              {...control}
              type="number"
              className="font-mono"
              value={typeof schema[keyword] === 'number' ? schema[keyword] : ''}
              onChange={(event) =>
                onChange(
                  setKeyword(schema, keyword, event.target.value === '' ? undefined : Number(event.target.value)),
                )
              }
            />
          )}
        </Field>
      ))}
      {has('default') && (
        <DefaultField
          name={name}
          value={schema.default}
          onChange={(value) => onChange(setKeyword(schema, 'default', value))}
        />
      )}
      {others.length > 0 && (
        <div className="sm:col-span-2">
          <OtherKeywords names={others} />
        </div>
      )}
    </div>
  );
}

function EnumArea({
  type,
  value,
  onChange,
  ...control
}: {
  type: FormType;
  value: unknown;
  onChange: (value: unknown[] | undefined) => void;
}) {
  const given = Array.isArray(value) ? value.map(String).join('\n') : '';
  const [draft, setDraft] = useState<string>();
  return (
    <Textarea
      {...control}
      rows={3}
      className="font-mono"
      value={draft ?? given}
      onBlur={() => setDraft(undefined)}
      onChange={(event) => {
        setDraft(event.target.value);
        onChange(parseEnum(event.target.value, type));
      }}
    />
  );
}

function DefaultField({ name, value, onChange }: { name: string; value: unknown; onChange: (value: unknown) => void }) {
  const [draft, setDraft] = useState<string>();
  const shown = draft ?? (value === undefined ? '' : JSON.stringify(value));
  const bad = draft !== undefined && draft !== '' && !parseJson(draft).ok;
  return (
    <Field label={text.default} hint={text.defaultHint} error={bad ? text.defaultBad : undefined}>
      {(control) => (
        <Input
          {...control}
          aria-label={`${text.default}: ${name}`}
          className="font-mono"
          value={shown}
          onBlur={() => !bad && setDraft(undefined)}
          onChange={(event) => {
            setDraft(event.target.value);
            if (event.target.value === '') onChange(undefined);
            const parsed = parseJson(event.target.value);
            if (parsed.ok) onChange(parsed.value);
          }}
        />
      )}
    </Field>
  );
}
