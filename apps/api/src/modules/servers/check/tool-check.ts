import { type RunnerKind, runnerKinds } from '@gantry/contracts';
import { checkHttpRunner, httpSlots } from './http-check.js';
import { declaredArguments, slotsOf, stringsIn } from './slots.js';
import type { Findings } from './verdict.js';

/** A JSON Schema still to be compiled, with its place. */
export interface SchemaToCheck {
  readonly path: readonly PropertyKey[];
  readonly schema: unknown;
  readonly role: 'input' | 'output';
}

/** Source text still to be parsed, with its place. */
export interface SourceToCheck {
  readonly path: readonly PropertyKey[];
  readonly source: string;
}

export interface Deferred {
  readonly schemas: SchemaToCheck[];
  readonly sources: SourceToCheck[];
}

/**
 * Judges one tool beyond its shape. Works on the raw value, so that a fault of shape hides no other.
 * What costs time (schemas, sources) is only listed in `deferred`.
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
    if (isObject(runner)) checkRunner(kind, runner, tool.inputSchema, [...path, kind], findings, deferred);
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

/** The schema with the root type every client needs; another type is left as it is, to be refused. */
export function withObjectRoot(schema: Record<string, unknown>): Record<string, unknown> {
  return schema.type === undefined ? { type: 'object', ...schema } : schema;
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

function checkRunner(
  kind: RunnerKind,
  runner: Record<string, unknown>,
  inputSchema: unknown,
  path: PropertyKey[],
  findings: Findings,
  deferred: Deferred,
): void {
  if (kind === 'code') {
    if (typeof runner.source === 'string') deferred.sources.push({ path: [...path, 'source'], source: runner.source });
    return;
  }
  if (kind === 'http') checkHttpRunner(runner, path, findings);
  if (kind === 'template') checkTemplate(runner, path, findings);
  const declared = declaredArguments(inputSchema);
  if (declared === undefined) return;
  const used = kind === 'http' ? httpSlots(runner, path) : templateSlots(runner, path);
  for (const { name, path: place } of used) {
    if (!declared.has(name) && !declared.has(name.split('.')[0] as string)) {
      findings.warn(place, `{${name}} is not a property of the input schema`);
    }
  }
}

function checkTemplate(template: Record<string, unknown>, path: PropertyKey[], findings: Findings): void {
  const parts = ['text', 'content'].filter((part) => template[part] !== undefined);
  if (parts.length !== 1) findings.fault(path, 'must have either "text" or "content"');
  for (const { text, path: place } of stringsIn(template, path)) {
    if (/\{\{\s*secret\./.test(text)) findings.fault(place, 'a template cannot hold secrets: clients see its text');
  }
}

function templateSlots(
  template: Record<string, unknown>,
  path: PropertyKey[],
): { name: string; path: PropertyKey[] }[] {
  return [...stringsIn(template, path)].flatMap(({ text, path: place }) =>
    slotsOf(text).map((name) => ({ name, path: place })),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
