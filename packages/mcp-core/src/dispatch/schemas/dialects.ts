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

/** After so many schemas a compiler is replaced: it keeps something of each, also of those that nobody uses any more. */
const SCHEMAS_A_COMPILER = 2_000;

/** One compiler a dialect, shared by all tools: a compiler of one's own costs each tool milliseconds and much memory. */
class Compiler {
  #ajv: Ajv | undefined;
  #compiled = 0;

  constructor(private readonly make: () => Ajv) {}

  compile(schema: Readonly<Record<string, unknown>>): ValidateFunction {
    if (this.#ajv === undefined || this.#compiled >= SCHEMAS_A_COMPILER) {
      this.#ajv = this.make();
      this.#compiled = 0;
      addFormats(this.#ajv);
      addBoundedKeywords(this.#ajv);
    }
    const ajv = this.#ajv;
    this.#compiled++;
    try {
      return ajv.compile(schema);
    } finally {
      // The function works without the compiler's own record of the schema.
      ajv.removeSchema(schema);
    }
  }
}

const compilers = {
  '2020-12': new Compiler(() => new Ajv2020(options)),
  'draft-07': new Compiler(() => new Ajv(options)),
};

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
  return compilers[dialect].compile(compilable(schema));
}

/** Faults of the schema against its dialect's own schema. */
export function metaSchemaErrors(schema: Readonly<Record<string, unknown>>, dialect: Dialect): ErrorObject[] {
  const judge = judges[dialect];
  return judge.validateSchema(schema) === true ? [] : [...(judge.errors ?? [])];
}
