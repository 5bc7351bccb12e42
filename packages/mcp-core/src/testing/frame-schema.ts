import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formatsModule, { type FormatsPlugin } from 'ajv-formats';
import type { Json } from './json.js';
import { faultOfTask, faultOfTaskResult, TASK_METHODS } from './task-frames.js';

const addFormats = formatsModule as unknown as FormatsPlugin;

/** Revisions whose messages can be judged. */
export const SCHEMA_REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;
export type SchemaRevision = (typeof SCHEMA_REVISIONS)[number];

/** The methods that were asked under an id; none for an id that nobody used. */
export type AskedUnder = (id: string | number) => readonly string[];

const MODERN: SchemaRevision = '2026-07-28';
const MAY_NEED_INPUT = ['tools/call', 'prompts/get', 'resources/read'];
const MODERN_ERRORS: Readonly<Record<number, string>> = {
  [-32020]: 'HeaderMismatchError',
  [-32021]: 'MissingRequiredClientCapabilityError',
  [-32022]: 'UnsupportedProtocolVersionError',
};

/**
 * What is wrong with one message that a server sent, judged by the schema of its revision: in words, or undefined.
 * A batch is an array of messages. A response is judged as what was asked under its id.
 */
export function faultOfMessage(message: Json, revision: SchemaRevision, asked: AskedUnder): string | undefined {
  if (Array.isArray(message)) {
    if (revision !== '2025-03-26') return `${revision} has no batches`;
    if (message.length === 0) return 'an empty batch';
    return message.map((one) => faultOfMessage(one, revision, asked)).find((fault) => fault !== undefined);
  }
  if (message === null || typeof message !== 'object') return 'no object';
  const schema = schemaOf(revision);
  if ('method' in message) {
    if (revision === MODERN && message.method === 'notifications/tasks') return faultOfTask(message.params, false);
    const union = 'id' in message ? 'ServerRequest' : 'ServerNotification';
    const definition = schema.members(union).get(message.method);
    return definition === undefined
      ? `no ${union} of ${revision} has the method ${message.method}`
      : schema.fault(definition, message);
  }
  if ('error' in message) return faultOfError(message, revision, asked);
  return schema.fault(schema.resultResponse, message) ?? faultOfResult(message, revision, asked);
}

function faultOfError(message: Json, revision: SchemaRevision, asked: AskedUnder): string | undefined {
  const schema = schemaOf(revision);
  if ('result' in message) return 'both a result and an error';
  if (message.id !== undefined && asked(message.id).length === 0) return `nothing was asked under the id ${message.id}`;
  const code = message.error?.code;
  if (revision === MODERN) return schema.fault(MODERN_ERRORS[code] ?? 'JSONRPCErrorResponse', message);
  // JSON-RPC has null for an id that could not be read; the older schemas demand one, and the last one leaves it out.
  return schema.fault(schema.errorResponse, message.id === undefined ? { ...message, id: 0 } : message);
}

function faultOfResult({ id, result }: Json, revision: SchemaRevision, asked: AskedUnder): string | undefined {
  const methods = asked(id);
  if (methods.length === 0) return `nothing was asked under the id ${JSON.stringify(id)}`;
  const faults = methods.map((method) => faultOfResultOf(method, result, revision));
  return faults.includes(undefined) ? undefined : faults[0];
}

function faultOfResultOf(method: string, result: Json, revision: SchemaRevision): string | undefined {
  const schema = schemaOf(revision);
  if (revision === MODERN && (result.resultType === 'task' || TASK_METHODS.includes(method))) {
    return faultOfTaskResult(method, result);
  }
  if (revision === '2025-11-25' && method === 'tools/call' && 'task' in result) {
    return schema.fault('CreateTaskResult', result);
  }
  const request = schema.members('ClientRequest').get(method);
  if (request === undefined) return `${revision} has no method ${method}, and it was answered with a result`;
  if (revision === MODERN && result.resultType === 'input_required') {
    if (!MAY_NEED_INPUT.includes(method)) return `${method} never needs input`;
    return schema.fault('InputRequiredResult', result);
  }
  if (revision === MODERN && result.resultType !== 'complete') return `resultType is ${result.resultType}`;
  const definition = request.replace(/Request$/, 'Result');
  if (schema.has(definition)) return schema.fault(definition, result);
  // The wire examples have {} and nothing else.
  return Object.keys(result).length === 0 ? undefined : `the empty result of ${method} is not empty`;
}

const schemas = new Map<SchemaRevision, RevisionSchema>();

function schemaOf(revision: SchemaRevision): RevisionSchema {
  const known = schemas.get(revision) ?? new RevisionSchema(revision);
  schemas.set(revision, known);
  return known;
}

/** One schema file; a definition is compiled when it is asked for first. */
class RevisionSchema {
  readonly #ajv: Ajv;
  readonly #key: '$defs' | 'definitions';
  readonly #definitions: Readonly<Record<string, Json>>;
  readonly #members = new Map<string, Map<string, string>>();
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(readonly revision: SchemaRevision) {
    // From the sources, whether this runs as source or built. What 2025-03-26 adds to the revision before it is optional.
    const name = revision === '2024-11-05' ? '2025-03-26' : revision;
    const file = new URL(`../../src/testing/schemas/${name}.json`, import.meta.url);
    const text = JSON.parse(readFileSync(file, 'utf8'));
    this.#key = '$defs' in text ? '$defs' : 'definitions';
    this.#definitions = text[this.#key];
    const options = { strict: false, validateSchema: false };
    this.#ajv = this.#key === '$defs' ? new Ajv2020(options) : new Ajv(options);
    addFormats(this.#ajv);
    this.#ajv.addSchema(text, revision);
  }

  /** Names of the two envelopes of answers, which changed over the revisions. */
  get resultResponse(): string {
    return this.has('JSONRPCResultResponse') ? 'JSONRPCResultResponse' : 'JSONRPCResponse';
  }

  get errorResponse(): string {
    return this.has('JSONRPCErrorResponse') ? 'JSONRPCErrorResponse' : 'JSONRPCError';
  }

  has(definition: string): boolean {
    return definition in this.#definitions;
  }

  /** Names of the definitions in a union, by the method they are of; none where the revision lacks the union. */
  members(union: string): ReadonlyMap<string, string> {
    let members = this.#members.get(union);
    if (members === undefined) {
      const names: string[] = (this.#definitions[union]?.anyOf ?? []).map(({ $ref }: Json) => $ref.split('/').at(-1));
      members = new Map(names.map((name) => [this.#definitions[name].properties.method.const, name]));
      this.#members.set(union, members);
    }
    return members;
  }

  fault(definition: string, value: Json): string | undefined {
    const check = this.#compile(definition);
    if (check(value)) return undefined;
    const [error] = check.errors ?? [];
    return `not a ${definition} of ${this.revision}: ${error?.instancePath || '(root)'} ${error?.message} ${JSON.stringify(error?.params)}`;
  }

  #compile(definition: string): ValidateFunction {
    const known = this.#compiled.get(definition);
    if (known !== undefined) return known;
    const made = this.#ajv.compile({ $ref: `${this.revision}#/${this.#key}/${definition}` });
    this.#compiled.set(definition, made);
    return made;
  }
}
