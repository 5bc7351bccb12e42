import { isJsonObject } from '../protocol/meta-keys.js';
import type { InputMethod, InputRequest } from '../protocol/types.js';
import { fitsForm } from './form-content.js';
import { isContent, isRole } from './question-faults.js';

/** What has to be known of a question to judge its answer. */
export interface AskedQuestion {
  readonly method: InputMethod;
  /** What an accepted form holds; none for other questions. */
  readonly schema?: Readonly<Record<string, unknown>>;
}

/** The part of a question that its answer is judged by. */
export function askedOf({ method, params }: InputRequest): AskedQuestion {
  const schema = params?.requestedSchema;
  return method === 'elicitation/create' && params?.mode !== 'url' && isJsonObject(schema)
    ? { method, schema }
    : { method };
}

/**
 * A client's bare result, as far as it answers the question (ElicitResult, CreateMessageResult, ListRootsResult);
 * undefined for one that does not.
 */
export function usableResult({ method, schema }: AskedQuestion, result: unknown): unknown {
  if (!isJsonObject(result)) return undefined;
  if (method === 'roots/list') return isRoots(result.roots) ? result : undefined;
  if (method === 'sampling/createMessage') {
    const sound = isRole(result.role) && isContent(result.content) && typeof result.model === 'string';
    return sound ? result : undefined;
  }
  const { action, content } = result;
  if (action === 'decline' || action === 'cancel') return { action };
  if (action !== 'accept') return undefined;
  if (schema === undefined) return { action };
  return isJsonObject(content) && fitsForm(schema, content) ? { action, content } : undefined;
}

/** Of the results that came, those that answer what was asked, by key. */
export function usableResults(
  asked: Readonly<Record<string, AskedQuestion>>,
  results: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const usable: [string, unknown][] = [];
  for (const [key, question] of Object.entries(asked)) {
    if (!Object.hasOwn(results, key)) continue;
    const result = usableResult(question, results[key]);
    if (result !== undefined) usable.push([key, result]);
  }
  return Object.fromEntries(usable);
}

function isRoots(value: unknown): boolean {
  return Array.isArray(value) && value.every((root) => isJsonObject(root) && typeof root.uri === 'string');
}
