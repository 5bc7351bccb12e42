'use client';
import { Plus } from 'lucide-react';
import {
  addProperty,
  otherKeywords,
  propertiesOf,
  removeProperty,
  renameProperty,
  type Schema,
  setProperty,
  setRequired,
} from '@/components/schema-form/model';
import { OtherKeywords } from '@/components/schema-form/other-keywords';
import { PropertyRow } from '@/components/schema-form/property-row';
import { Button } from '@/components/ui/button';
import { t } from '@/strings';

const text = t.tools.schema;

interface PropertyListProps {
  schema: Schema;
  onChange: (schema: Schema) => void;
}

/** The properties of an object schema, each a row; objects within nest. */
export function PropertyList({ schema, onChange }: PropertyListProps) {
  const properties = propertiesOf(schema);
  const names = properties.map((property) => property.name);
  const others = otherKeywords(schema);
  return (
    <div className="flex flex-col gap-2">
      {properties.length === 0 && <p className="text-muted text-sm">{text.empty}</p>}
      {properties.map((property, index) => (
        <PropertyRow
          // biome-ignore lint/suspicious/noArrayIndexKey: a row keeps its place while its name is being typed
          key={index}
          property={property}
          taken={names}
          nest={(nested, change) => <PropertyList schema={nested} onChange={change} />}
          onRename={(name) => onChange(renameProperty(schema, property.name, name))}
          onChange={(own) => onChange(setProperty(schema, property.name, own))}
          onRequired={(on) => onChange(setRequired(schema, property.name, on))}
          onRemove={() => onChange(removeProperty(schema, property.name))}
        />
      ))}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Button size="sm" onClick={() => onChange(addProperty(schema))}>
          <Plus /> {text.add}
        </Button>
        {others.length > 0 && <OtherKeywords names={others} />}
      </div>
    </div>
  );
}
