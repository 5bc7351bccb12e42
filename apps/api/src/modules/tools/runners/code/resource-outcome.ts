import { type ResourceContents, type ResourceOutcome, RunFailure } from '@gantry/mcp-core';
import { isBase64 } from '../../../../common/base64.js';
import { isObject } from '../../../../common/json.js';
import { deeperThan, maxJsonDepth } from './sandbox/json-depth.js';

/** The resource that a function was asked for. */
export interface AskedResource {
  readonly uri: string;
  readonly mimeType?: string | undefined;
}

/**
 * What a resource's function returned becomes its contents: a string is the text of the asked URI, `{contents: […]}` is
 * taken as it is, each with a uri and either text or a blob in base64. Throws `RunFailure` that begins with `subject`
 * for anything else, also for a list of none: a resource that is not there is an error.
 */
export function resourceOutcomeOf(
  subject: string,
  resultJson: string | undefined,
  { uri, mimeType }: AskedResource,
): ResourceOutcome {
  const fail = (words: string) => new RunFailure(`${subject} failed: ${words}`);
  if (deeperThan(maxJsonDepth, resultJson ?? '')) {
    throw fail(`the result is nested more than ${maxJsonDepth} levels deep`);
  }
  const value: unknown = resultJson === undefined ? undefined : JSON.parse(resultJson);
  if (typeof value === 'string') {
    return { contents: [{ uri, ...(mimeType === undefined ? {} : { mimeType }), text: value }] };
  }
  if (!isObject(value) || !Array.isArray(value.contents)) {
    throw fail('the function must return a string or {contents: [{uri, text or blob}]}');
  }
  const { contents, _meta } = value;
  if (contents.length === 0) throw fail('contents must hold at least one entry');
  if (_meta !== undefined && !isObject(_meta)) throw fail('_meta must be an object');
  for (const [index, entry] of contents.entries()) {
    const fault = entryFault(entry, `contents[${index}]`);
    if (fault) throw fail(fault);
  }
  return { contents: contents as ResourceContents[], ...(_meta === undefined ? {} : { _meta }) };
}

function entryFault(entry: unknown, where: string): string | undefined {
  if (!isObject(entry)) return `${where} must be an object`;
  const { uri, mimeType, text, blob, _meta } = entry;
  if (typeof uri !== 'string' || uri === '') return `${where}.uri must be a string`;
  if (mimeType !== undefined && typeof mimeType !== 'string') return `${where}.mimeType must be a string`;
  if (_meta !== undefined && !isObject(_meta)) return `${where}._meta must be an object`;
  if ((text === undefined) === (blob === undefined)) return `${where} must have either text or blob`;
  if (text !== undefined) return typeof text === 'string' ? undefined : `${where}.text must be a string`;
  return typeof blob === 'string' && isBase64(blob) ? undefined : `${where}.blob must be a base64 string`;
}
