'use client';
import { ChevronDown, Trash2 } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { cn } from '@/components/cn';
import { JsonEditor } from '@/components/schema-form/json-editor';
import { formTypes, type Property, type Schema, setKeyword, setType, typeOf } from '@/components/schema-form/model';
import { PropertyDetails } from '@/components/schema-form/property-details';
import { Button } from '@/components/ui/button';
import { CheckField, Input, Select } from '@/components/ui/input';
import { isObject } from '@/lib/json';
import { t } from '@/strings';

const text = t.tools.schema;

interface PropertyRowProps {
  property: Property;
  taken: string[];
  onRename: (name: string) => void;
  onChange: (schema: Schema) => void;
  onRequired: (on: boolean) => void;
  onRemove: () => void;
  /** Draws the properties of an object that lies within this one. */
  nest: (schema: Schema, onChange: (schema: Schema) => void) => ReactNode;
}

export function PropertyRow({ property, taken, onRename, onChange, onRequired, onRemove, nest }: PropertyRowProps) {
  const { name, schema, required } = property;
  const [more, setMore] = useState(false);
  const moreId = useId();
  const type = typeOf(schema);
  return (
    <fieldset className="min-w-0 rounded-md border bg-surface p-2.5">
      <legend className="sr-only">{name}</legend>
      <div className="flex flex-wrap items-center gap-2">
        <NameInput name={name} taken={taken} onRename={onRename} />
        <Select
          className="w-36"
          aria-label={`${text.type}: ${name}`}
          value={type}
          onChange={(event) =>
            event.target.value !== 'other' &&
            onChange(setType(schema, event.target.value as (typeof formTypes)[number]))
          }
        >
          {formTypes.map((value) => (
            <option key={value} value={value}>
              {text.types[value]}
            </option>
          ))}
          {type === 'other' && <option value="other">{text.other}</option>}
        </Select>
        <CheckField label={text.required} checked={required} onChange={(event) => onRequired(event.target.checked)} />
        <span className="ml-auto flex">
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={text.moreFor(name)}
            aria-expanded={more}
            aria-controls={moreId}
            onClick={() => setMore(!more)}
          >
            <ChevronDown className={cn('transition-transform duration-100', more && 'rotate-180')} />
          </Button>
          <Button variant="ghost" size="icon-sm" aria-label={text.remove(name)} onClick={onRemove}>
            <Trash2 />
          </Button>
        </span>
      </div>
      <Input
        className="mt-2"
        aria-label={`${text.description}: ${name}`}
        placeholder={text.descriptionPlaceholder}
        value={typeof schema.description === 'string' ? schema.description : ''}
        onChange={(event) => onChange(setKeyword(schema, 'description', event.target.value || undefined))}
      />
      <div id={moreId} hidden={!more} className="mt-2.5">
        {more &&
          (type === 'other' ? (
            <AsJson name={name} schema={schema} onChange={onChange} />
          ) : (
            <PropertyDetails name={name} type={type} schema={schema} onChange={onChange} />
          ))}
      </div>
      {type === 'object' && <Nested label={text.nested(name)}>{nest(schema, onChange)}</Nested>}
      {type === 'array' && isObject(schema.items) && typeOf(schema.items) === 'object' && (
        <Nested label={text.nested(name)}>
          {nest(schema.items, (items) => onChange(setKeyword(schema, 'items', items)))}
        </Nested>
      )}
    </fieldset>
  );
}

function Nested({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section aria-label={label} className="mt-2.5 border-l-2 pl-3">
      {children}
    </section>
  );
}

function AsJson({ name, schema, onChange }: { name: string; schema: Schema; onChange: (schema: Schema) => void }) {
  return (
    <>
      <p className="mb-1 text-muted text-xs">{text.otherHint}</p>
      <JsonEditor
        label={name}
        value={schema}
        rows={6}
        onChange={(value) => onChange(value as Schema)}
        refuse={(value) => (isObject(value) ? undefined : text.notObject)}
      />
    </>
  );
}

/** Keeps what is typed while it is empty or taken, and renames at every moment it is neither. */
function NameInput({ name, taken, onRename }: { name: string; taken: string[]; onRename: (name: string) => void }) {
  const [draft, setDraft] = useState<string>();
  const shown = draft ?? name;
  const clash = draft !== undefined && draft !== name;
  return (
    <span className="min-w-32 flex-1">
      <Input
        className="font-mono"
        aria-label={`${text.property}: ${name}`}
        aria-invalid={clash ? true : undefined}
        title={clash && draft ? text.taken : undefined}
        spellCheck={false}
        autoComplete="off"
        value={shown}
        onBlur={() => setDraft(undefined)}
        onChange={(event) => {
          const next = event.target.value;
          const free = next !== '' && (next === name || !taken.includes(next));
          setDraft(free ? undefined : next);
          if (free) onRename(next);
        }}
      />
      {clash && draft && <span className="text-danger text-xs">{text.taken}</span>}
    </span>
  );
}
