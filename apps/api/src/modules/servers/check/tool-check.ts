import {
  codeRunnerSchema,
  httpRunnerSchema,
  type RunnerKind,
  runnerKinds,
  templateRunnerSchema,
} from '@gantry/contracts';
import { isObject } from '../../../common/json.js';
import type { RunnerToCheck } from './runner-checker.js';
import type { Findings } from './verdict.js';

/** A JSON Schema still to be compiled, with its place. */
export interface SchemaToCheck {
  readonly path: readonly PropertyKey[];
  readonly schema: unknown;
  readonly role: 'input' | 'output';
}

export interface Deferred {
  readonly schemas: SchemaToCheck[];
  readonly runners: RunnerToCheck[];
}

const runnerSchemas = { http: httpRunnerSchema, code: codeRunnerSchema, template: templateRunnerSchema } as const;

/**
 * Judges one tool beyond its shape. Works on the raw value, so that a fault of shape hides no other.
 * What takes time or somebody else's knowledge (schemas, runners) is only listed in `deferred`.
 */
export function checkTool(tool: unknown, path: PropertyKey[], findings: Findings, deferred: Deferred): void {
  if (!isObject(tool)) return;
  const runners = runnerKinds.filter((kind) => tool[kind] !== undefined);
  if (runners.length !== 1) {
    const found = runners.length === 0 ? 'has none' : `has ${runners.join(' and ')}`;
    findings.fault(path, `must have exactly one runner (${runnerKinds.join(', ')}), but ${found}`);
  }
  if (tool.stateful === true && tool.execution === 'job') {
    findings.fault([...path, 'stateful'], 'a stateful tool cannot run as a job');
  }
  if (typeof tool.description !== 'string' || tool.description.trim() === '') {
    findings.warn(path, 'has no description: models choose tools by it');
  }
  checkInputSchema(tool.inputSchema, [...path, 'inputSchema'], findings, deferred);
  if (tool.outputSchema !== undefined) {
    deferred.schemas.push({ path: [...path, 'outputSchema'], schema: tool.outputSchema, role: 'output' });
  }
  for (const kind of runners) {
    const runner = tool[kind];
    if (isObject(runner)) listRunner(kind, runner, tool.inputSchema, [...path, kind], deferred);
  }
}

function checkInputSchema(schema: unknown, path: PropertyKey[], findings: Findings, deferred: Deferred): void {
  if (!isObject(schema)) return;
  const normal = withObjectRoot(schema);
  if (normal.type !== 'object') {
    findings.fault([...path, 'type'], 'the root of an input schema must be "type": "object"');
    return;
  }
  deferred.schemas.push({ path, schema: normal, role: 'input' });
  warnOfLooseArrays(schema, path, findings, 0);
}

/** A schema without a type at its root as every client takes it; another type is left as it is, to be refused. */
export function withObjectRoot(schema: Record<string, unknown>): Record<string, unknown> {
  return schema.type === undefined ? { type: 'object', properties: {}, ...schema } : schema;
}

function warnOfLooseArrays(schema: unknown, path: PropertyKey[], findings: Findings, depth: number): void {
  if (!isObject(schema) || depth > 32) return;
  const types = [schema.type].flat();
  if (types.includes('array') && schema.items === undefined && schema.prefixItems === undefined) {
    findings.warn(path, 'an array without "items": some clients refuse the whole tool');
  }
  if (isObject(schema.properties)) {
    for (const [name, child] of Object.entries(schema.properties)) {
      warnOfLooseArrays(child, [...path, 'properties', name], findings, depth + 1);
    }
  }
  warnOfLooseArrays(schema.items, [...path, 'items'], findings, depth + 1);
}

/** A runner of sound shape is handed on to whoever runs that kind; the fault of an unsound one is known already. */
function listRunner(
  kind: RunnerKind,
  spec: Record<string, unknown>,
  inputSchema: unknown,
  path: PropertyKey[],
  deferred: Deferred,
): void {
  const parsed = runnerSchemas[kind].safeParse(spec);
  if (!parsed.success) return;
  deferred.runners.push({
    path,
    runner: { [kind]: parsed.data },
    inputSchema: isObject(inputSchema) ? inputSchema : {},
  });
}
