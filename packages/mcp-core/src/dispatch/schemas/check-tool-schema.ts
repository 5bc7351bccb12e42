import { isJsonObject } from '../../protocol/meta-keys.js';
import { escapePointer, readHeaderRules } from '../../wire/rev-2026-07-28/param-headers.js';
import { DATA_KEYWORDS, NAME_MAPS } from './bounded-keywords.js';
import { compile, dialectOf, metaSchemaErrors } from './dialects.js';
import { linearRegExp } from './linear-regex.js';

/** What keeps a schema from being published. */
export interface SchemaFault {
  /** JSON Pointer into the schema; empty for its root. */
  readonly path: string;
  readonly message: string;
}

/** Subschemas may nest this deep. */
export const MAX_SCHEMA_DEPTH = 64;
/** Values one schema may hold, counted with everything inside. */
export const MAX_SCHEMA_NODES = 20_000;

/**
 * An input schema as it is listed: whatever was given, with `type: object` when no type was, and with `properties` when
 * nothing at all was. A root of another type comes back unchanged, for `checkToolSchema` to refuse.
 */
export function normaliseInputSchema(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (schema.type !== undefined) return { ...schema };
  const composed = ['anyOf', 'oneOf', 'allOf', '$ref', 'if', 'not', 'properties'].some((key) =>
    Object.hasOwn(schema, key),
  );
  return composed ? { type: 'object', ...schema } : { type: 'object', properties: {}, ...schema };
}

/**
 * Everything that would go wrong with an input schema later, all faults at once. Pure, and it fetches nothing; compiling
 * takes milliseconds, so publish it off the main loop.
 */
export function checkToolSchema(schema: unknown): SchemaFault[] {
  if (!isJsonObject(schema)) return [{ path: '', message: 'must be a JSON object' }];
  const faults: SchemaFault[] = [];
  if (schema.type !== 'object') faults.push({ path: '/type', message: 'must be "object" at the root' });
  return [...faults, ...checkSchema(schema, faults.length > 0), ...readHeaderRules(schema).faults];
}

/** The same for an output schema, whose root may be anything. */
export function checkOutputSchema(schema: unknown): SchemaFault[] {
  if (!isJsonObject(schema)) return [{ path: '', message: 'must be a JSON object' }];
  return checkSchema(schema, false);
}

function checkSchema(schema: Record<string, unknown>, alreadyFaulty: boolean): SchemaFault[] {
  const dialect = dialectOf(schema);
  if (dialect === undefined) {
    const message = 'names a dialect that is not supported: use 2020-12 (the default) or draft-07';
    return [{ path: '/$schema', message }];
  }
  const faults = walk(schema);
  if (faults.length > 0) return faults;
  for (const { instancePath, message = 'is not valid' } of metaSchemaErrors(schema, dialect)) {
    faults.push({ path: instancePath, message });
  }
  if (faults.length === 0 && !alreadyFaulty) {
    try {
      compile(schema);
    } catch (error) {
      faults.push({
        path: '',
        message: `cannot be compiled: ${error instanceof Error ? error.message : String(error)}`,
      });
    }
  }
  return faults;
}

/** Size, depth, references that lead outside, and patterns that cannot run in linear time. */
function walk(root: Record<string, unknown>): SchemaFault[] {
  const faults: SchemaFault[] = [];
  const base = typeof root.$id === 'string' ? root.$id : undefined;
  let nodes = 0;
  // Below `const` and its like, and among the names of properties, a "pattern" is no keyword.
  const visit = (node: unknown, pointer: string, depth: number, place: Place): boolean => {
    if (++nodes > MAX_SCHEMA_NODES) return fail('', `holds more than ${MAX_SCHEMA_NODES} values`);
    if (depth > MAX_SCHEMA_DEPTH) return fail(pointer, `is nested deeper than ${MAX_SCHEMA_DEPTH} levels`);
    if (typeof node !== 'object' || node === null) return true;
    for (const [key, value] of Object.entries(node)) {
      const below = `${pointer}/${escapePointer(key)}`;
      if (place === 'schema') judgeKeyword(key, value, below);
      if (!visit(value, below, depth + 1, placeBelow(place, key))) return false;
    }
    return true;
  };
  const judgeKeyword = (key: string, value: unknown, below: string): void => {
    if ((key === '$ref' || key === '$dynamicRef') && typeof value === 'string' && !isLocal(value, base)) {
      faults.push({ path: below, message: 'refers outside the schema; references must be local' });
    } else if (key === 'pattern' && typeof value === 'string') judgePattern(value, below);
    else if (key === 'patternProperties' && isJsonObject(value)) {
      for (const pattern of Object.keys(value)) judgePattern(pattern, `${below}/${escapePointer(pattern)}`);
    }
  };
  const fail = (path: string, message: string): false => {
    faults.push({ path, message });
    return false;
  };
  const judgePattern = (pattern: string, path: string): void => {
    try {
      linearRegExp(pattern, 'u');
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      faults.push({
        path,
        message: `is no pattern that runs in linear time (lookaround and back references do not): ${reason}`,
      });
    }
  };
  visit(root, '', 0, 'schema');
  return faults;
}

type Place = 'schema' | 'names' | 'data';

function placeBelow(place: Place, key: string): Place {
  if (place === 'names') return 'schema';
  if (place === 'data' || DATA_KEYWORDS.has(key)) return 'data';
  return NAME_MAPS.has(key) ? 'names' : 'schema';
}

function isLocal(ref: string, base: string | undefined): boolean {
  if (ref.startsWith('#')) return true;
  if (base !== undefined && ref.startsWith(`${base.replace(/#$/, '')}#`)) return true;
  // A relative reference can only mean another `$id` inside this schema; whether it is there, compiling tells.
  return !/^[a-z][a-z0-9+.-]*:/i.test(ref) && !ref.startsWith('//');
}
