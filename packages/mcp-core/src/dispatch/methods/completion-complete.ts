import { MCP_CODES, MCPError } from '../../jsonrpc/errors.js';
import type { Completions } from '../../ports/catalogue.js';
import { isJsonObject } from '../../protocol/meta-keys.js';
import type { Method } from '../method.js';
import type { PreparedServer } from '../prepared-server.js';
import { invalidParams } from '../request-context.js';

/** Values one answer holds at most (schema: CompleteResult). */
const MAX_VALUES = 100;

/** What can be completed: its arguments' names, and the values some of them may have. */
interface Completable {
  readonly label: string;
  readonly names: readonly string[];
  readonly completions: Completions | undefined;
}

export const completionComplete: Method = {
  name: 'completion/complete',
  needs: 'completions',
  answer({ ref, argument, context }, { extra: { server, revision } }) {
    if (!isJsonObject(argument)) throw invalidParams('argument must be an object');
    const { name, value } = argument;
    if (typeof name !== 'string') throw invalidParams('argument.name must be a string');
    if (typeof value !== 'string') throw invalidParams('argument.value must be a string');
    if (context !== undefined && !isJsonObject(context)) throw invalidParams('context must be an object');
    const { label, names, completions } = completable(server, ref);
    if (!names.includes(name)) throw invalidParams(`${label} has no argument ${name}`);
    const known = completions !== undefined && Object.hasOwn(completions, name) ? (completions[name] ?? []) : [];
    const start = value.toLowerCase();
    const fitting = known.filter((candidate) => candidate.toLowerCase().startsWith(start));
    const completion = {
      values: fitting.slice(0, MAX_VALUES),
      total: fitting.length,
      hasMore: fitting.length > MAX_VALUES,
    };
    return { completion, ...revision.envelope(server.implementation) };
  },
};

function completable(server: PreparedServer, ref: unknown): Completable {
  if (!isJsonObject(ref)) throw invalidParams('ref must be an object');
  if (ref.type === 'ref/prompt') return promptOf(server, ref.name);
  if (ref.type === 'ref/resource') return templateOf(server, ref.uri);
  throw invalidParams('ref.type must be ref/prompt or ref/resource');
}

function promptOf(server: PreparedServer, name: unknown): Completable {
  if (typeof name !== 'string') throw invalidParams('ref.name must be a string');
  const prompt = server.prompt(name);
  if (prompt === undefined) throw new MCPError(MCP_CODES.INVALID_PARAMS, `Unknown prompt: ${name}`);
  const names = (prompt.definition.arguments ?? []).map((argument) => argument.name);
  return { label: `prompt ${name}`, names, completions: prompt.completions };
}

function templateOf(server: PreparedServer, uri: unknown): Completable {
  if (typeof uri !== 'string') throw invalidParams('ref.uri must be a string');
  const found = server.resources.template(uri);
  if (found === undefined) throw new MCPError(MCP_CODES.INVALID_PARAMS, `Unknown resource template: ${uri}`);
  const { template, compiled } = found;
  return { label: `resource template ${uri}`, names: compiled.variables, completions: template.completions };
}
