import { runnerKinds, toolNameSchema } from '@gantry/contracts';
import { isObject } from '../../../common/json.js';
import { type Deferred, deferRunner } from './deferred.js';
import { namedSources, warnUndescribed } from './source-check.js';
import type { Findings } from './verdict.js';

/** Names that every client and model API takes. */
const EVERYWHERE = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Judges one tool beyond its shape. Works on the raw value, so that a fault of shape hides no other.
 * What takes time or somebody else's knowledge (schemas, runners) is only listed in `deferred`.
 */
export function checkTool(tool: unknown, path: PropertyKey[], findings: Findings, deferred: Deferred): void {
  if (!isObject(tool)) return;
  const runners = namedSources(tool, runnerKinds, 'runner', path, findings);
  checkExecution(tool, path, findings);
  warnUndescribed(tool, path, findings, 'models choose tools');
  warnOfName(tool.name, [...path, 'name'], findings);
  checkInputSchema(tool.inputSchema, [...path, 'inputSchema'], findings, deferred);
  if (tool.outputSchema !== undefined) {
    deferred.schemas.push({ path: [...path, 'outputSchema'], schema: tool.outputSchema, role: 'output' });
  }
  const inputSchema = isObject(tool.inputSchema) ? tool.inputSchema : {};
  for (const kind of runners) deferRunner(kind, tool[kind], { path: [...path, kind], inputSchema }, deferred);
}

/** What runs outside its request takes no turn in its session; a streamed answer is too long for one that waits. */
function checkExecution(tool: Record<string, unknown>, path: PropertyKey[], findings: Findings): void {
  const { stateful, execution, task } = tool;
  const streams = isObject(tool.http) && (tool.http.stream === 'sse' || tool.http.stream === 'ndjson');
  if (stateful === true && (execution === 'job' || streams)) {
    findings.fault([...path, 'stateful'], 'a stateful tool cannot run as a job');
  } else if (stateful === true && (task === 'optional' || task === 'required')) {
    findings.fault([...path, 'task'], 'a stateful tool cannot run as a task: expected "forbidden"');
  }
  if (execution === 'inline' && streams) {
    findings.fault([...path, 'execution'], 'a tool whose answer is a stream runs as a job: expected "job"');
  }
}

function warnOfName(name: unknown, path: PropertyKey[], findings: Findings): void {
  if (!toolNameSchema.safeParse(name).success || EVERYWHERE.test(name as string)) return;
  findings.warn(path, 'some clients take no names with dots or of more than 64 characters');
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
