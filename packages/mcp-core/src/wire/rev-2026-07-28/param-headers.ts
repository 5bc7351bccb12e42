import { isJsonObject } from '../../protocol/meta-keys.js';
import { type Headers, headerValue, REPEATED } from '../http-headers.js';
import { decodeMirrored, encodeMirrored, isPlainHeaderValue } from '../mirrored-value.js';

/** One argument that clients repeat as `Mcp-Param-<Name>` (2026-07-28, `x-mcp-header`). */
export interface HeaderRule {
  /** As written in the schema, for messages. */
  readonly header: string;
  /** Lower case, as requests carry it. */
  readonly key: string;
  /** Property names from the root of the arguments. */
  readonly path: readonly string[];
  readonly type: 'string' | 'integer' | 'boolean';
}

export interface HeaderRuleFault {
  /** JSON Pointer into the schema. */
  readonly path: string;
  readonly message: string;
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const TYPES = new Set(['string', 'integer', 'boolean']);
const MAX_DEPTH = 64;

/** Reads every `x-mcp-header` of an input schema and judges it; rules come out only for sound ones. */
export function readHeaderRules(schema: Record<string, unknown>): { rules: HeaderRule[]; faults: HeaderRuleFault[] } {
  const rules: HeaderRule[] = [];
  const faults: HeaderRuleFault[] = [];
  const names = new Set<string>();
  const visit = (node: unknown, pointer: string, path: readonly string[] | undefined, depth: number): void => {
    if (depth > MAX_DEPTH) return;
    if (Array.isArray(node)) {
      for (const [at, item] of node.entries()) visit(item, `${pointer}/${at}`, undefined, depth + 1);
      return;
    }
    if (!isJsonObject(node)) return;
    if (Object.hasOwn(node, 'x-mcp-header')) readOne(node, pointer, path);
    for (const [keyword, value] of Object.entries(node)) {
      const below = `${pointer}/${escapePointer(keyword)}`;
      if (keyword === 'x-mcp-header' || DATA_KEYWORDS.has(keyword)) continue;
      if (NAMED_SCHEMAS.has(keyword) && isJsonObject(value)) {
        const reachable = keyword === 'properties' && path !== undefined;
        for (const [name, sub] of Object.entries(value)) {
          visit(sub, `${below}/${escapePointer(name)}`, reachable ? [...path, name] : undefined, depth + 1);
        }
      } else visit(value, below, undefined, depth + 1);
    }
  };
  const readOne = (node: Record<string, unknown>, pointer: string, path: readonly string[] | undefined): void => {
    const at = `${pointer}/x-mcp-header`;
    const header = node['x-mcp-header'];
    const fault = (message: string) => faults.push({ path: at, message });
    if (typeof header !== 'string' || !TOKEN.test(header)) return void fault('must be a non-empty RFC 9110 token');
    if (path === undefined || path.length === 0) {
      return void fault('must stand on a property that is reached from the root through "properties" alone');
    }
    if (typeof node.type !== 'string' || !TYPES.has(node.type)) {
      return void fault('must stand on a property of type string, integer or boolean');
    }
    const key = `mcp-param-${header.toLowerCase()}`;
    if (names.has(key)) return void fault(`the header name ${header} is used twice (letter case aside)`);
    names.add(key);
    rules.push({ header: `Mcp-Param-${header}`, key, path, type: node.type as HeaderRule['type'] });
  };
  visit(schema, '', [], 0);
  return { rules, faults };
}

const NAMED_SCHEMAS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
/** Their values are data, not schemas. */
const DATA_KEYWORDS = new Set(['const', 'enum', 'default', 'examples']);

export function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/**
 * Compares the mirrored headers of a call with its arguments.
 * @returns what is wrong, in words for the caller, or undefined
 */
export function headerMismatch(
  rules: readonly HeaderRule[],
  headers: Headers,
  args: Readonly<Record<string, unknown>>,
): string | undefined {
  for (const rule of rules) {
    const value = argumentAt(args, rule.path);
    const sent = headerValue(headers, rule.key);
    if (value === undefined || value === null) {
      if (sent !== undefined) return `${rule.header} is sent, but ${rule.path.join('.')} is not among the arguments`;
      continue;
    }
    if (sent === undefined) return `${rule.header} is missing`;
    if (sent === REPEATED) return `${rule.header} is sent more than once`;
    if (!isPlainHeaderValue(sent)) return `${rule.header} holds characters that must be sent in base64 form`;
    const decoded = decodeMirrored(sent);
    if (decoded === undefined) return `${rule.header} is not valid base64 of UTF-8`;
    if (!agrees(rule, decoded, value)) return `${rule.header} does not match the argument ${rule.path.join('.')}`;
  }
  return undefined;
}

/** The mirrored headers that a caller sends with these arguments. */
export function mirroredHeaders(
  rules: readonly HeaderRule[],
  args: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const rule of rules) {
    const value = argumentAt(args, rule.path);
    if (value !== undefined && value !== null) headers[rule.key] = encodeMirrored(String(value));
  }
  return headers;
}

function argumentAt(args: Readonly<Record<string, unknown>>, path: readonly string[]): unknown {
  let value: unknown = args;
  for (const name of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

function agrees(rule: HeaderRule, decoded: string, value: unknown): boolean {
  // What has not the declared type fails the schema a moment later; here only the two spellings are compared.
  if (typeof value === 'number') {
    const sent = NUMBER.test(decoded) ? Number(decoded) : Number.NaN;
    return rule.type === 'integer' ? Number.isSafeInteger(sent) && sent === value : sent === value;
  }
  if (typeof value === 'boolean') return decoded === String(value);
  return typeof value === 'string' ? decoded === value : true;
}
