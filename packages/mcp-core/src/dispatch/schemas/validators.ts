import type { ErrorObject, ValidateFunction } from 'ajv';
import { resetSteps, TooManyStepsError } from './bounded-keywords.js';
import { compile } from './dialects.js';

type Schema = Readonly<Record<string, unknown>>;

/** How many compiled schemas a process keeps; the ones not used for longest are compiled again when needed. */
const KEPT = 5_000;
const compiled = new Map<Schema, ValidateFunction>();
let newest: Schema | undefined;

/** Compiled at first use, for the schema object itself: snapshots are immutable, so identity is enough. */
function validatorOf(schema: Schema): ValidateFunction {
  const known = compiled.get(schema);
  if (known !== undefined) {
    if (newest !== schema) {
      compiled.delete(schema);
      compiled.set(schema, known);
      newest = schema;
    }
    return known;
  }
  const validate = compile(schema);
  compiled.set(schema, validate);
  newest = schema;
  if (compiled.size > KEPT) compiled.delete(compiled.keys().next().value as Schema);
  return validate;
}

/**
 * What is wrong with a value, naming the place; undefined when nothing is.
 * @throws Error when the schema cannot be compiled
 */
export function findFault(schema: Schema, value: unknown, root: string): string | undefined {
  const validate = validatorOf(schema);
  resetSteps();
  try {
    if (validate(value)) return undefined;
  } catch (error) {
    // A value that is nested deeper than the stack reaches ends the same way.
    if (error instanceof TooManyStepsError || error instanceof RangeError)
      return `${root}: ${new TooManyStepsError().message}`;
    throw error;
  }
  const error = validate.errors?.[0];
  return error === undefined ? `${root} does not match its schema` : describe(error, root);
}

function describe(error: ErrorObject, root: string): string {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer);
  const { params } = error as { params: Record<string, unknown> };
  if (error.keyword === 'required') return `${[...path, params.missingProperty].join('.')}: is required`;
  if (error.keyword === 'additionalProperties') {
    return `${[...path, params.additionalProperty].join('.')}: is not a known property`;
  }
  if (error.keyword === 'enum' && Array.isArray(params.allowedValues)) {
    const allowed = JSON.stringify(params.allowedValues).slice(0, 200);
    return `${path.join('.') || root}: must be one of ${allowed}`;
  }
  return `${path.join('.') || root}: ${error.message ?? 'does not match the schema'}`;
}

function unescapePointer(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}
