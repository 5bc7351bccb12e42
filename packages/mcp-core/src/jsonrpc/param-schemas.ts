import { MCP_CODES, MCPError } from './errors.js';
import type { Params } from './messages.js';

interface Issue {
  readonly message: string;
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
}
type Checked = { readonly value: unknown; readonly issues?: undefined } | { readonly issues: ReadonlyArray<Issue> };

/** The part of a Standard Schema (standardschema.dev, version 1) that checking needs. Zod 4 schemas are such. */
export interface ParamSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly validate: (value: unknown) => Checked | Promise<Checked>;
  };
}

/** Method → schema of its params. A handler gets what the schema returns, so a schema that strips unknown keys strips them. */
export type ParamSchemas = Readonly<Record<string, ParamSchema>>;

/** The schema of a method's params, if it has one. */
export function schemaFor(schemas: ParamSchemas | undefined, method: string): ParamSchema | undefined {
  return schemas !== undefined && Object.hasOwn(schemas, method) ? schemas[method] : undefined;
}

/**
 * Checks params before a handler sees them; a promise only if the schema needs one.
 * @throws MCPError -32602 that names every offending path, also in `data.issues`
 */
export function checkParams(schema: ParamSchema, params: Params): Params | Promise<Params> {
  const checked = schema['~standard'].validate(params);
  return checked instanceof Promise ? checked.then(accept) : accept(checked);
}

function accept(checked: Checked): Params {
  if (checked.issues === undefined) return checked.value as Params;
  const issues = checked.issues.map((issue) => ({ path: pathOf(issue), message: issue.message }));
  const words = issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
  throw new MCPError(MCP_CODES.INVALID_PARAMS, `Invalid params: ${words}`, { issues });
}

function pathOf(issue: Issue): string {
  return (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
}
