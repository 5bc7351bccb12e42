import type { ContentBlock, ToolOutcome } from '@gantry/mcp-core';
import { isObject } from '../../../../common/json.js';
import type { BoundedBody, EgressResponse } from '../../../../infra/egress/index.js';
import { headerText } from '../../../../infra/egress/index.js';
import { decodeText } from './charset.js';
import { wellFormed } from './encode.js';
import type { SecretMask } from './secrets.js';

export interface AnswerContext {
  /** Begins the words about a failure: `Tool "greet"`. */
  readonly subject: string;
  /** Bytes after which the body was cut. */
  readonly limit: number;
  readonly mask: SecretMask;
}

/** Of a body that is only quoted: error pages, cut answers, broken JSON. */
const EXCERPT = 64 * 1024;
/** Of the body of an answer that is no success: more is never quoted. */
export const ERROR_BODY_BYTES = 2 * EXCERPT;
/** Deeper values would overflow the stack of whoever encodes them. */
const MAX_JSON_DEPTH = 500;

/**
 * What a tool answers when its backend answered. 2xx becomes content by its media type: a JSON object is structured
 * content with a text copy, other JSON and text are text, images and audio are their blocks, anything else is an
 * embedded resource. Every other status is `isError` with the status and an excerpt of the body.
 */
export function outcomeOf(
  head: EgressResponse,
  body: BoundedBody,
  context: AnswerContext & { readonly toolName: string },
): ToolOutcome {
  const { mask } = context;
  const { type, status } = facts(head, mask);
  const fault = faultOf(head, body, context);
  if (fault !== undefined) return error(fault);
  if (body.bytes.length === 0) return text(`The backend answered ${status} with an empty body.`);
  const [kind] = type.essence.split('/');
  if (kind === 'image' || kind === 'audio') {
    const data = mask.bytes(body.bytes).toString('base64');
    return { content: [{ type: kind, data, mimeType: type.essence }] };
  }
  if (!isText(type, body.bytes)) return binary(type, mask.bytes(body.bytes), context.toolName);
  const { value, note } = decode(type, body.bytes);
  const masked = mask.text(value);
  return withNote(isJson(type) ? json(masked, status, mask) : text(masked), note);
}

/** What the head says of the answer. Whatever of it is quoted is the backend's to choose, as the body is. */
export function facts(head: EgressResponse, mask: SecretMask): { readonly type: MediaType; readonly status: string } {
  const contentType = headerText(head.headers['content-type']);
  return {
    type: mediaType(contentType && mask.text(contentType)),
    status: mask.text(`${head.status} ${head.statusText}`.trim()),
  };
}

/** Why an answer is none to work with, quoting it; undefined for a whole answer of success. */
export function faultOf(head: EgressResponse, body: BoundedBody, context: AnswerContext): string | undefined {
  const { type, status } = facts(head, context.mask);
  if (!isSuccess(head.status)) return failure(head, status, type, body, context);
  return body.truncated ? cut(status, type, body, context) : undefined;
}

export const isSuccess = (status: number) => status >= 200 && status <= 299;

function json(source: string, status: string, mask: SecretMask): ToolOutcome {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    return error(`The backend answered ${status} and called it JSON, but it is not:\n${source.slice(0, EXCERPT)}`);
  }
  if (source.length > MAX_JSON_DEPTH && deeperThan(value, MAX_JSON_DEPTH)) return text(source);
  const clean = cleanJson(source, value, mask);
  const copy = text(clean === value ? source : JSON.stringify(clean));
  return isObject(clean) ? { ...copy, structuredContent: clean } : copy;
}

/**
 * Escapes in a JSON source hide what the parsed value shows: secrets, and halves of surrogate pairs that poison whoever
 * encodes the value as UTF-8. The same value when there are none.
 */
function cleanJson(source: string, value: unknown, mask: SecretMask): unknown {
  return source.includes('\\') ? mapStrings(value, (string) => wellFormed(mask.text(string))) : value;
}

/** A JSON source without what must not be shown; as it is when it is none, or too deep to be walked. */
export function cleanJsonText(source: string, mask: SecretMask): string {
  if (!source.includes('\\')) return source;
  try {
    const value: unknown = JSON.parse(source);
    if (deeperThan(value, MAX_JSON_DEPTH)) return source;
    const clean = cleanJson(source, value, mask);
    return clean === value ? source : JSON.stringify(clean);
  } catch {
    return source;
  }
}

function failure(
  head: EgressResponse,
  status: string,
  type: MediaType,
  body: BoundedBody,
  context: AnswerContext,
): string {
  const retryAfter = headerText(head.headers['retry-after']);
  const sound = retryAfter !== undefined && /^[\w ,:+-]{1,64}$/.test(retryAfter);
  const wait = sound ? ` (Retry-After: ${context.mask.text(retryAfter)})` : '';
  return `The backend answered ${status}${wait}.${excerpt(type, body, context)}`;
}

function cut(status: string, type: MediaType, body: BoundedBody, context: AnswerContext): string {
  const message = `${context.subject} stopped: the backend's answer (${status}) is longer than the limit of ${context.limit} bytes and was cut.`;
  return message + excerpt(type, body, context);
}

function excerpt(type: MediaType, { bytes, truncated }: BoundedBody, { mask }: AnswerContext): string {
  if (bytes.length === 0) return '';
  if (!isText(type, bytes.subarray(0, EXCERPT)))
    return ` Its body is ${type.essence || 'binary data'}, ${bytes.length} bytes.`;
  const cutShort = truncated || bytes.length > ERROR_BODY_BYTES;
  const masked = mask.text(decode(type, bytes.subarray(0, ERROR_BODY_BYTES)).value);
  // The cut may have halved a secret, which then is no longer found.
  const whole = cutShort ? masked.slice(0, Math.max(0, masked.length - mask.longest)) : masked;
  return `\n${whole.slice(0, EXCERPT)}${cutShort || whole.length > EXCERPT ? '\n[… cut]' : ''}`;
}

function binary(type: MediaType, bytes: Buffer, toolName: string): ToolOutcome {
  const uri = `tool-result://${encodeURIComponent(toolName)}`;
  const mimeType = type.essence || 'application/octet-stream';
  return { content: [{ type: 'resource', resource: { uri, mimeType, blob: bytes.toString('base64') } }] };
}

export interface MediaType {
  /** `type/subtype` in lower case, '' when there is none or it is malformed. */
  readonly essence: string;
  readonly charset: string | undefined;
}

function mediaType(header: string | undefined): MediaType {
  const essence = /^\s*([\w!#$&^.+-]+\/[\w!#$&^.+-]+)/.exec(header ?? '')?.[1]?.toLowerCase() ?? '';
  const charset = /;\s*charset\s*=\s*"?([^\s;"]{1,64})/i.exec(header ?? '')?.[1];
  return { essence, charset };
}

export const isJson = ({ essence }: MediaType) => /^(application|text)\/([\w.-]+\+)?json$/.test(essence);

const textual =
  /^(text\/.*|application\/(([\w.-]+\+)?(json|xml|yaml)|javascript|ecmascript|x-www-form-urlencoded|graphql|sql|toml|x-ndjson|jsonl|x-yaml|x-sh))$/;

/**
 * Whether a body is text: by its type; without a type, or when another type names a charset (which some servers
 * add to everything), by being UTF-8 that holds no NUL.
 */
export function isText({ essence, charset }: MediaType, bytes: Buffer): boolean {
  if (textual.test(essence)) return true;
  if (essence !== '' && charset === undefined) return false;
  if (bytes.includes(0)) return false;
  try {
    // As a stream, so that a character halved by a cut is no reason.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

export function decode({ charset }: MediaType, bytes: Buffer): { value: string; note?: string } {
  const value = decodeText(bytes, charset);
  if (value !== undefined) return { value };
  const note = `[The backend declared the unknown charset ${JSON.stringify(charset)}; read as UTF-8.]`;
  return { value: bytes.toString(), note };
}

function deeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((member) => deeperThan(member, depth - 1));
}

/** The same value when `map` changes no string in it, keys included. */
function mapStrings(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => mapStrings(item, map));
    return items.every((item, i) => item === value[i]) ? value : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const mapped = entries.map(([key, member]) => [map(key), mapStrings(member, map)] as const);
  const same = mapped.every(([key, member], i) => key === entries[i]?.[0] && member === entries[i]?.[1]);
  return same ? value : Object.fromEntries(mapped);
}

const text = (value: string): ToolOutcome => ({ content: [{ type: 'text', text: value }] });

export const error = (message: string): ToolOutcome => ({ ...text(message), isError: true });

function withNote(outcome: ToolOutcome, note: string | undefined): ToolOutcome {
  if (note === undefined) return outcome;
  const block: ContentBlock = { type: 'text', text: note };
  return { ...outcome, content: [...outcome.content, block] };
}
