import { isObject } from '@/lib/json';

export interface Choice {
  value: string;
  title: string;
}

interface FieldBase {
  name: string;
  title: string;
  description?: string;
  required: boolean;
}

/** One field of an elicitation form: the flat kinds of `requestedSchema` that the revisions allow. */
export type ElicitField =
  | (FieldBase & { kind: 'text'; format?: string; minLength?: number; maxLength?: number; initial?: string })
  | (FieldBase & { kind: 'number'; integer: boolean; minimum?: number; maximum?: number; initial?: string })
  | (FieldBase & { kind: 'boolean'; initial?: boolean })
  | (FieldBase & { kind: 'choice'; choices: Choice[]; initial?: string })
  | (FieldBase & { kind: 'choices'; choices: Choice[]; minItems?: number; maxItems?: number; initial?: string[] });

/** What the form holds: text as typed, so that a half-written number stays in sight. */
export type ElicitValues = Record<string, string | boolean | string[] | undefined>;
export type ElicitFault =
  | { reason: 'required' | 'not-a-number' | 'not-whole' | 'email' | 'uri' | 'date' | 'date-time' }
  | { reason: 'least' | 'most' | 'shortest' | 'longest' | 'fewest' | 'too-many'; limit: number };

const number = (value: unknown) => (typeof value === 'number' ? value : undefined);
const text = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** The fields of a requested schema in their order; a property of an unknown kind is asked for as text. */
export function elicitFields(schema: unknown): ElicitField[] {
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {};
  const required = isObject(schema) && Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(properties).map(([name, own]) =>
    fieldOf(name, isObject(own) ? own : {}, required.includes(name)),
  );
}

function fieldOf(name: string, own: Record<string, unknown>, required: boolean): ElicitField {
  const base = { name, title: text(own.title) ?? name, description: text(own.description), required };
  const { default: initial } = own;
  const choices = choicesOf(own);
  if (choices) return { ...base, kind: 'choice', choices, initial: text(initial) };
  if (own.type === 'array') {
    const strings = Array.isArray(initial) ? initial.filter((entry) => typeof entry === 'string') : undefined;
    const limits = { minItems: number(own.minItems), maxItems: number(own.maxItems) };
    return { ...base, ...limits, kind: 'choices', choices: choicesOf(own.items) ?? [], initial: strings };
  }
  if (own.type === 'boolean')
    return { ...base, kind: 'boolean', initial: typeof initial === 'boolean' ? initial : undefined };
  if (own.type === 'number' || own.type === 'integer') {
    return {
      ...base,
      kind: 'number',
      integer: own.type === 'integer',
      minimum: number(own.minimum),
      maximum: number(own.maximum),
      initial: typeof initial === 'number' ? String(initial) : undefined,
    };
  }
  const limits = { minLength: number(own.minLength), maxLength: number(own.maxLength) };
  return { ...base, ...limits, kind: 'text', format: text(own.format), initial: text(initial) };
}

/** Choices of `enum` (with the older `enumNames`), `oneOf` and `anyOf` of `{const, title}`. */
function choicesOf(schema: unknown): Choice[] | undefined {
  if (!isObject(schema)) return undefined;
  if (Array.isArray(schema.enum)) {
    const names = Array.isArray(schema.enumNames) ? schema.enumNames : [];
    return schema.enum.map((value, at) => ({ value: String(value), title: text(names[at]) ?? String(value) }));
  }
  const titled = Array.isArray(schema.oneOf) ? schema.oneOf : Array.isArray(schema.anyOf) ? schema.anyOf : undefined;
  return titled?.filter(isObject).map((entry) => {
    const value = String(entry.const);
    return { value, title: text(entry.title) ?? value };
  });
}

/** The form as it opens: the defaults of the schema, and nothing made up. */
export function initialValues(fields: readonly ElicitField[]): ElicitValues {
  return Object.fromEntries(fields.map((field) => [field.name, field.initial]));
}

/** What stands against each field as it is; an empty field that need not be filled has no fault. */
export function elicitFaults(fields: readonly ElicitField[], values: ElicitValues): Record<string, ElicitFault> {
  const faults: Record<string, ElicitFault> = {};
  for (const field of fields) {
    const value = values[field.name];
    const empty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
    const fault: ElicitFault | undefined = empty
      ? field.required
        ? { reason: 'required' }
        : undefined
      : faultOf(field, value);
    if (fault) faults[field.name] = fault;
  }
  return faults;
}

function faultOf(field: ElicitField, value: string | boolean | string[]): ElicitFault | undefined {
  if (field.kind === 'number') {
    const read = Number(value);
    if (!Number.isFinite(read)) return { reason: 'not-a-number' };
    if (field.integer && !Number.isSafeInteger(read)) return { reason: 'not-whole' };
    if (field.minimum !== undefined && read < field.minimum) return { reason: 'least', limit: field.minimum };
    if (field.maximum !== undefined && read > field.maximum) return { reason: 'most', limit: field.maximum };
  }
  if (field.kind === 'text' && typeof value === 'string') {
    // JSON Schema counts code points, not UTF-16 units.
    const length = [...value].length;
    if (field.minLength !== undefined && length < field.minLength)
      return { reason: 'shortest', limit: field.minLength };
    if (field.maxLength !== undefined && length > field.maxLength) return { reason: 'longest', limit: field.maxLength };
    return formatFault(field.format, value);
  }
  if (field.kind === 'choices' && Array.isArray(value)) {
    if (field.minItems !== undefined && value.length < field.minItems)
      return { reason: 'fewest', limit: field.minItems };
    if (field.maxItems !== undefined && value.length > field.maxItems)
      return { reason: 'too-many', limit: field.maxItems };
  }
  return undefined;
}

function formatFault(format: string | undefined, value: string): ElicitFault | undefined {
  switch (format) {
    case 'email':
      return /^[^\s@]+@[^\s@]+$/.test(value) ? undefined : { reason: 'email' };
    case 'uri':
      return URL.canParse(value) ? undefined : { reason: 'uri' };
    case 'date':
      return /^\d{4}-\d{2}-\d{2}$/.test(value) && isDay(value) ? undefined : { reason: 'date' };
    case 'date-time': {
      const shape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/.test(value);
      return shape && isDay(value.slice(0, 10)) ? undefined : { reason: 'date-time' };
    }
    default:
      return undefined;
  }
}

const isDay = (day: string) => new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) ?? false;

/** The `content` of an accepted form: each value as its type, empty fields left out. */
export function elicitContent(fields: readonly ElicitField[], values: ElicitValues): Record<string, unknown> {
  const content: Record<string, unknown> = {};
  for (const field of fields) {
    const value = values[field.name];
    if (value === undefined || value === '') continue;
    content[field.name] = field.kind === 'number' ? Number(value) : value;
  }
  return content;
}
