import { isObject } from '@/lib/json';

/*
 * Edits of a JSON Schema that the form makes. Each returns a new schema and keeps every keyword it does not speak of,
 * and the order of members, so that the form and the JSON view are two looks at one document.
 */

export type Schema = Record<string, unknown>;
export const formTypes = ['string', 'integer', 'number', 'boolean', 'object', 'array'] as const;
export type FormType = (typeof formTypes)[number];

export interface Property {
  name: string;
  schema: Schema;
  required: boolean;
}

/** The one type the form can edit; 'other' for unions, references and schemas without a type. */
export function typeOf(schema: unknown): FormType | 'other' {
  const type = isObject(schema) ? schema.type : undefined;
  return formTypes.includes(type as FormType) ? (type as FormType) : 'other';
}

export function propertiesOf(schema: Schema): Property[] {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = requiredOf(schema);
  return Object.entries(properties).map(([name, own]) => ({
    name,
    schema: isObject(own) ? own : {},
    required: required.includes(name),
  }));
}

function requiredOf(schema: Schema): string[] {
  return Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === 'string') : [];
}

/** Sets a keyword; `undefined` removes it. */
export function setKeyword(schema: Schema, keyword: string, value: unknown): Schema {
  if (value !== undefined) return { ...schema, [keyword]: value };
  const { [keyword]: _gone, ...rest } = schema;
  return rest;
}

export function setProperty(schema: Schema, name: string, own: Schema): Schema {
  return setKeyword(schema, 'properties', { ...(isObject(schema.properties) ? schema.properties : {}), [name]: own });
}

/** Adds an empty text property under a free name. */
export function addProperty(schema: Schema): Schema {
  const names = new Set(propertiesOf(schema).map((property) => property.name));
  let name = 'field';
  for (let n = 2; names.has(name); n += 1) name = `field${n}`;
  return setProperty(schema, name, { type: 'string' });
}

export function removeProperty(schema: Schema, name: string): Schema {
  const entries = Object.entries(isObject(schema.properties) ? schema.properties : {}).filter(([key]) => key !== name);
  return setRequired(setKeyword(schema, 'properties', Object.fromEntries(entries)), name, false);
}

/** Renames in place, in `required` too. A name that is empty or taken changes nothing. */
export function renameProperty(schema: Schema, from: string, to: string): Schema {
  const properties = isObject(schema.properties) ? schema.properties : {};
  if (from === to || to === '' || to in properties) return schema;
  const renamed = Object.fromEntries(Object.entries(properties).map(([key, own]) => [key === from ? to : key, own]));
  const next = setKeyword(schema, 'properties', renamed);
  if (!requiredOf(schema).includes(from)) return next;
  return setKeyword(
    next,
    'required',
    requiredOf(schema).map((name) => (name === from ? to : name)),
  );
}

export function setRequired(schema: Schema, name: string, on: boolean): Schema {
  const before = requiredOf(schema);
  if (before.includes(name) === on) return schema;
  const after = on ? [...before, name] : before.filter((entry) => entry !== name);
  return setKeyword(schema, 'required', after.length > 0 ? after : undefined);
}

/** Changes the type and nothing else: keywords of the old type stay, and are shown as set elsewhere. */
export function setType(schema: Schema, type: FormType): Schema {
  return { ...schema, type };
}

/** Keywords the form has a field for, by type. */
const fields: Record<FormType, readonly string[]> = {
  string: ['enum', 'default', 'format', 'pattern', 'minLength', 'maxLength'],
  integer: ['enum', 'default', 'minimum', 'maximum'],
  number: ['enum', 'default', 'minimum', 'maximum'],
  boolean: ['default'],
  object: ['properties', 'required'],
  array: ['items', 'default', 'minItems', 'maxItems'],
};

export function fieldsOf(type: FormType): readonly string[] {
  return fields[type];
}

/** Keywords that are set but have no field here; they stay editable as JSON. */
export function otherKeywords(schema: Schema): string[] {
  const type = typeOf(schema);
  const own = type === 'other' ? [] : fields[type];
  return Object.keys(schema).filter((keyword) => !['type', 'description', ...own].includes(keyword));
}

/** Lines of the "allowed values" field to the values of the type; lines that are none of it are kept as text. */
export function parseEnum(text: string, type: FormType): unknown[] | undefined {
  const lines = text.split('\n').filter((line) => line !== '');
  if (lines.length === 0) return undefined;
  if (type !== 'integer' && type !== 'number') return lines;
  return lines.map((line) => (line.trim() !== '' && Number.isFinite(Number(line)) ? Number(line) : line));
}
