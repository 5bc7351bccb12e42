'use client';
import { useState } from 'react';
import { JsonEditor } from '@/components/schema-form/json-editor';
import type { Schema } from '@/components/schema-form/model';
import { PropertyList } from '@/components/schema-form/property-list';
import { Segmented } from '@/components/ui/segmented';
import { isObject } from '@/lib/json';
import { t } from '@/strings';

const text = t.tools.schema;

interface SchemaFormProps {
  label: string;
  schema: Schema;
  onChange: (schema: Schema) => void;
  error?: string;
}

/** A JSON Schema as a form and as JSON: two views of the same document, always in step. */
export function SchemaForm({ label, schema, onChange, error }: SchemaFormProps) {
  const [view, setView] = useState<'form' | 'json'>('form');
  return (
    <div className="flex flex-col gap-3">
      <Segmented
        label={text.view}
        value={view}
        onChange={setView}
        options={[
          { value: 'form', label: text.form },
          { value: 'json', label: text.json },
        ]}
      />
      {view === 'form' ? (
        <PropertyList schema={schema} onChange={onChange} />
      ) : (
        <JsonEditor
          label={label}
          value={schema}
          onChange={(value) => onChange(value as Schema)}
          refuse={(value) => (isObject(value) ? undefined : text.notObject)}
          error={error}
        />
      )}
    </div>
  );
}
