import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formatsModule, { type FormatsPlugin } from 'ajv-formats';
import { addBoundedKeywords, compilable } from './bounded-keywords.js';
import { linearRegExp } from './linear-regex.js';

// A CommonJS package whose default export is the plugin, wrapped once more by Node's interop.
const addFormats = ((formatsModule as { default?: unknown }).default ?? formatsModule) as FormatsPlugin;

const options: Options = {
  strict: false,
  addUsedSchema: false,
  allErrors: false,
  validateSchema: false,
  logger: false,
  code: { regExp: linearRegExp },
};

/** One compiler a dialect, shared by all tools: a compiler of one's own costs each tool milliseconds and much memory. */
const compilers = { '2020-12': new Ajv2020(options), 'draft-07': new Ajv(options) };
for (const ajv of Object.values(compilers)) {
  addFormats(ajv);
  addBoundedKeywords(ajv);
}

/** Judges schemas themselves; strict about keywords of the dialect, silent about unknown ones. */
const judges = {
  '2020-12': new Ajv2020({ ...options, validateSchema: true }),
  'draft-07': new Ajv({ ...options, validateSchema: true }),
};

export type Dialect = keyof typeof compilers;

/** The dialect of a schema by its `$schema`; undefined for one that is not served. Without `$schema` it is 2020-12. */
export function dialectOf(schema: Readonly<Record<string, unknown>>): Dialect | undefined {
  const { $schema } = schema;
  if ($schema === undefined) return '2020-12';
  if (typeof $schema !== 'string') return undefined;
  const uri = $schema.replace(/#$/, '');
  if (uri === 'https://json-schema.org/draft/2020-12/schema') return '2020-12';
  return /^https?:\/\/json-schema\.org\/draft-07\/schema$/.test(uri) ? 'draft-07' : undefined;
}

/** @throws Error when the schema cannot be compiled; the message is fit for its author */
export function compile(schema: Readonly<Record<string, unknown>>): ValidateFunction {
  const dialect = dialectOf(schema);
  if (dialect === undefined) throw new Error(`unsupported JSON Schema dialect: ${String(schema.$schema)}`);
  const ajv = compilers[dialect];
  const counted = compilable(schema);
  try {
    return ajv.compile(counted);
  } finally {
    // The function works without the compiler's own record of the schema, which would be kept for ever.
    ajv.removeSchema(counted);
  }
}

/** Faults of the schema against its dialect's own schema. */
export function metaSchemaErrors(schema: Readonly<Record<string, unknown>>, dialect: Dialect): ErrorObject[] {
  const judge = judges[dialect];
  return judge.validateSchema(schema) === true ? [] : [...(judge.errors ?? [])];
}
