import { isJsonObject } from '../protocol/meta-keys.js';
import { linearRegExp } from './schemas/linear-regex.js';
import { findFault } from './schemas/validators.js';

type JsonObject = Readonly<Record<string, unknown>>;

/** The formats a field may have; any other is a note to whoever shows the form. */
const FORMATS = new Map(
  ['email', 'uri', 'date', 'date-time'].map((format) => [format as unknown, { type: 'string', format }]),
);

/**
 * Whether what was filled in fits the form. The schema is one that `formFault` has no word against: it is read as it
 * stands, because compiling one, as the schemas of tools are, takes the time of many calls, and forms are made anew for
 * each call.
 */
export function fitsForm(schema: JsonObject, content: JsonObject): boolean {
  const { required = [], additionalProperties } = schema;
  const properties = schema.properties as Readonly<Record<string, JsonObject>>;
  if ((required as string[]).some((name) => !Object.hasOwn(content, name))) return false;
  return Object.entries(content).every(([name, value]) => {
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return field === undefined ? additionalProperties !== false : fitsField(field, value);
  });
}

function fitsField(field: JsonObject, value: unknown): boolean {
  const choices = choicesOf(field, 'oneOf');
  if (choices !== undefined && !choices.has(value)) return false;
  switch (field.type) {
    case 'string':
      return typeof value === 'string' && fitsText(field, value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'array':
      return Array.isArray(value) && fitsList(field, value);
    default:
      return typeof value === 'number' && fitsNumber(field, value);
  }
}

function fitsText(field: JsonObject, text: string): boolean {
  const { minLength, maxLength, pattern, format } = field;
  if (minLength !== undefined || maxLength !== undefined) {
    // Lengths are of characters, not of the halves that some of them have in memory.
    if (!within([...text].length, minLength, maxLength)) return false;
  }
  if (typeof pattern === 'string' && !linearRegExp(pattern, 'u').test(text)) return false;
  const known = FORMATS.get(format);
  return known === undefined || findFault(known, text, 'text') === undefined;
}

function fitsNumber(field: JsonObject, value: number): boolean {
  const { type, minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = field;
  if (type === 'integer' && !Number.isInteger(value)) return false;
  if (typeof above === 'number' && value <= above) return false;
  if (typeof below === 'number' && value >= below) return false;
  return within(value, minimum, maximum);
}

function fitsList(field: JsonObject, values: readonly unknown[]): boolean {
  const choices = choicesOf(field.items as JsonObject, 'anyOf');
  if (field.uniqueItems === true && new Set(values).size < values.length) return false;
  return within(values.length, field.minItems, field.maxItems) && values.every((value) => choices?.has(value) ?? true);
}

/** What may be chosen; undefined where anything may. */
function choicesOf(schema: JsonObject, titled: 'oneOf' | 'anyOf'): ReadonlySet<unknown> | undefined {
  const { enum: plain, [titled]: choices } = schema;
  if (Array.isArray(choices)) return new Set(choices.filter(isJsonObject).map((choice) => choice.const));
  return Array.isArray(plain) ? new Set(plain) : undefined;
}

function within(value: number, least: unknown, most: unknown): boolean {
  return !(typeof least === 'number' && value < least) && !(typeof most === 'number' && value > most);
}
