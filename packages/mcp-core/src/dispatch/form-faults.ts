import { isJsonObject } from '../protocol/meta-keys.js';
import { linearRegExp } from './schemas/linear-regex.js';

type JsonObject = Record<string, unknown>;

const PRIMITIVES = new Set(['string', 'number', 'integer', 'boolean']);
/** Fields that one form may have. */
const FIELDS_MAX = 100;
const PATTERN_LENGTH = 1_000;
const LIMITS = ['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'];
const COUNTS = ['minItems', 'maxItems'];

/** Keywords of JSON Schema that would make a form more than a flat list of fields; their promise would not be kept. */
const UNKNOWN_TO_FORMS = [
  ...['$ref', '$dynamicRef', 'allOf', 'anyOf', 'not', 'if', 'then', 'else', 'const', 'multipleOf', 'contains'],
  ...['patternProperties', 'propertyNames', 'minProperties', 'maxProperties', 'dependentRequired', 'dependentSchemas'],
  ...['prefixItems', 'unevaluatedItems', 'unevaluatedProperties'],
];
const UNKNOWN_TO_FIELDS = [...UNKNOWN_TO_FORMS, 'properties', 'required', 'additionalProperties'];

/**
 * Why a schema is not that of a form, naming the place; undefined when it is sound. Forms are flat objects of primitives
 * and choices (client/elicitation, requested schema). Takes time linear in the length of the schema.
 */
export function formFault(schema: unknown, at: string): string | undefined {
  if (!isJsonObject(schema) || schema.type !== 'object' || !isJsonObject(schema.properties)) {
    return `${at} must be an object schema with properties`;
  }
  const { required = [], additionalProperties = true } = schema;
  const unknown = [...UNKNOWN_TO_FORMS, 'oneOf'].find((keyword) => Object.hasOwn(schema, keyword));
  if (unknown !== undefined) return `${at} has ${unknown}, which forms do not have`;
  if (!isTextList(required)) return `${at}.required must be a list of names`;
  if (typeof additionalProperties !== 'boolean') return `${at}.additionalProperties must be true or false`;
  const fields = Object.entries(schema.properties);
  if (fields.length > FIELDS_MAX) return `${at} has more than ${FIELDS_MAX} properties`;
  for (const [name, field] of fields) {
    const fault = fieldFault(field);
    if (fault !== undefined) return `${at}.properties.${name} ${fault}`;
  }
  return undefined;
}

function fieldFault(field: unknown): string | undefined {
  if (!isJsonObject(field)) return 'must be a schema';
  if (field.type !== 'array' && !PRIMITIVES.has(field.type as string)) {
    return 'must be of type string, number, integer, boolean, or an array of choices';
  }
  const unknown = UNKNOWN_TO_FIELDS.find((keyword) => Object.hasOwn(field, keyword));
  if (unknown !== undefined) return `has ${unknown}, which fields of forms do not have`;
  if (field.type === 'array') return itemsFault(field);
  const limit = LIMITS.find((keyword) => field[keyword] !== undefined && typeof field[keyword] !== 'number');
  if (limit !== undefined) return `must have a number as ${limit}`;
  if (field.enum !== undefined && !Array.isArray(field.enum)) return 'must have a list as enum';
  if (field.oneOf !== undefined && !isChoices(field.oneOf)) return 'must have oneOf of {const, title}';
  return field.pattern === undefined ? undefined : patternFault(field.pattern);
}

function itemsFault(field: JsonObject): string | undefined {
  const { items } = field;
  const count = COUNTS.find((keyword) => field[keyword] !== undefined && typeof field[keyword] !== 'number');
  if (count !== undefined) return `must have a number as ${count}`;
  const choices = isJsonObject(items) && (Array.isArray(items.enum) || isChoices(items.anyOf));
  return choices ? undefined : 'of type array must have items with enum or anyOf of {const, title}';
}

function patternFault(pattern: unknown): string | undefined {
  if (typeof pattern !== 'string' || pattern.length > PATTERN_LENGTH) {
    return `must have a text of at most ${PATTERN_LENGTH} characters as pattern`;
  }
  try {
    linearRegExp(pattern, 'u');
    return undefined;
  } catch (error) {
    return `has a pattern that cannot be used: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function isChoices(value: unknown): boolean {
  return Array.isArray(value) && value.every((choice) => isJsonObject(choice) && typeof choice.const === 'string');
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}
