import type { Ajv } from 'ajv';
import { isJsonObject } from '../../protocol/meta-keys.js';

/*
 * Schemas and values come from strangers, and checking runs on the loop that serves everybody. Patterns are linear by
 * another engine; the two other ways to make checking take for ever are bounded here.
 */

/** References one check may follow. Alternatives that refer to themselves can ask for 2^depth of them. */
export const MAX_REFERENCE_STEPS = 100_000;

const STEP = 'x-step';
let steps = 0;

/** Checking was given up; how the value stands to the schema is not known. */
export class TooManyStepsError extends Error {
  constructor() {
    super(`cannot be checked in ${MAX_REFERENCE_STEPS} steps`);
  }
}

/** Starts the count for one check; checks are synchronous, so one count serves all. */
export function resetSteps(): void {
  steps = 0;
}

export function addBoundedKeywords(ajv: Ajv): void {
  ajv.addKeyword({
    keyword: STEP,
    // Behind a reference that fails it would not be reached.
    before: '$ref',
    errors: false,
    validate: () => {
      if (++steps > MAX_REFERENCE_STEPS) throw new TooManyStepsError();
      return true;
    },
  });
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must NOT have duplicate items' },
    validate: (wanted: boolean, items: unknown[]) => !wanted || new Set(items.map(canonical)).size === items.length,
  });
}

/** Stands in for the `$id` of a schema that has none: without one, Ajv finds no root for `#` to refer to. */
const NAMELESS = 'https://schema.invalid/';

/** The schema as it is compiled: with a step counted at each reference. The same object when it has none. */
export function compilable(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const text = JSON.stringify(schema);
  if (!text.includes('"$ref"') && !text.includes('"$dynamicRef"')) return schema;
  const counted = withSteps(schema) as Record<string, unknown>;
  return typeof counted.$id === 'string' ? counted : { $id: NAMELESS, ...counted };
}

function withSteps(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withSteps);
  if (!isJsonObject(node)) return node;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    if (DATA_KEYWORDS.has(key)) copy[key] = value;
    else if (NAME_MAPS.has(key) && isJsonObject(value)) {
      copy[key] = Object.fromEntries(Object.entries(value).map(([name, sub]) => [name, withSteps(sub)]));
    } else copy[key] = withSteps(value);
  }
  if (typeof node.$ref === 'string' || typeof node.$dynamicRef === 'string') copy[STEP] = true;
  return copy;
}

/** Their values are compared, not applied. */
export const DATA_KEYWORDS: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);
/** Their members are names, whatever they are called, and schemas. */
export const NAME_MAPS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);

/** Equal for two JSON values exactly when they are equal, whatever the order of their members. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    isJsonObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  );
}
