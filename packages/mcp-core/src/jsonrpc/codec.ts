import { isUtf8 } from 'node:buffer';
import { MCP_CODES } from './errors.js';
import {
  isRequestId,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResponse,
  type RequestId,
} from './messages.js';
import { exceedsDepth, fractionalIds, hasFractionalId } from './scan.js';

/** Arrays and objects of one message may be nested this deep unless somebody says otherwise, the message itself counted. */
export const MAX_JSON_DEPTH = 64;

/** Why something received is not a JSON-RPC message, ready to be answered with `errorMessage(id, code, message)`. */
export interface Fault {
  readonly kind: 'fault';
  readonly code: typeof MCP_CODES.PARSE_ERROR | typeof MCP_CODES.INVALID_REQUEST;
  readonly message: string;
  /** The id to answer to, when one could be read. */
  readonly id?: RequestId;
  /** It was meant as an answer; answering it in turn could go on for ever. */
  readonly response: boolean;
}

/** An array. It is only recognised: whether it is legal depends on the revision, and its elements are unchecked. */
export interface Batch {
  readonly kind: 'batch';
  readonly items: readonly unknown[];
  /** Indices of elements whose id is written with a fraction or an exponent; known only where the text was. */
  readonly fractionalIds?: ReadonlySet<number>;
}

/** What was received. */
export type Incoming =
  | { readonly kind: 'request'; readonly message: JsonRpcRequest }
  | { readonly kind: 'notification'; readonly message: JsonRpcNotification }
  | { readonly kind: 'response'; readonly message: JsonRpcResponse }
  | Batch
  | Fault;

/**
 * Reads one JSON text (JSON-RPC 2.0 §4, §5; RFC 8259, UTF-8, a leading byte order mark is skipped). Never throws:
 * what is not JSON is -32700, what is JSON and no message is -32600.
 */
export function parseMessage(input: Uint8Array | string | undefined, maxDepth: number = MAX_JSON_DEPTH): Incoming {
  const text = toText(input);
  if (text === undefined) return fault(MCP_CODES.PARSE_ERROR, 'Parse error: the text is not valid UTF-8');
  if (exceedsDepth(text, maxDepth)) {
    return fault(MCP_CODES.INVALID_REQUEST, `Invalid request: nested deeper than ${maxDepth} levels`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const what = text.trim() === '' ? 'the text is empty' : 'the text is not valid JSON';
    return fault(MCP_CODES.PARSE_ERROR, `Parse error: ${what}`);
  }
  const incoming = classify(value);
  if (incoming.kind === 'batch') {
    const fractional = fractionalIds(text);
    return fractional.size === 0 ? incoming : { ...incoming, fractionalIds: fractional };
  }
  return hasNumericId(incoming) && hasFractionalId(text) ? fractionalId(incoming) : incoming;
}

/** The elements of a batch, each judged as a message of its own. Never throws; an array inside an array is a fault. */
export function readBatch({ items, fractionalIds: fractional }: Batch): Array<Exclude<Incoming, Batch>> {
  return items.map((item, at) => {
    const incoming = classify(item);
    if (incoming.kind === 'batch') return invalid('a message is a JSON object', undefined, false);
    return fractional?.has(at) && hasNumericId(incoming) ? fractionalId(incoming) : incoming;
  });
}

function hasNumericId(incoming: Incoming): boolean {
  return (incoming.kind === 'request' || incoming.kind === 'response') && typeof incoming.message.id === 'number';
}

function fractionalId({ kind }: Incoming): Fault {
  return invalid('id must be written as a string or a plain integer', undefined, kind === 'response');
}

function toText(input: Uint8Array | string | undefined): string | undefined {
  if (input === undefined) return '';
  if (typeof input === 'string') return input.charCodeAt(0) === 0xfeff ? input.slice(1) : input;
  if (!isUtf8(input)) return undefined;
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
    ? bytes.toString('utf8', 3)
    : bytes.toString('utf8');
}

/** Tells an already parsed value by its shape: `id`, then `method`, then `result` or `error`. Never throws. */
export function classify(value: unknown): Incoming {
  if (Array.isArray(value)) return { kind: 'batch', items: value };
  if (typeof value !== 'object' || value === null) return invalid('a message is a JSON object', undefined, false);
  const { jsonrpc, id, method, params, result, error } = value as Record<string, unknown>;
  const isResponse = method === undefined && (result !== undefined || error !== undefined);
  const readable = isRequestId(id) ? id : undefined;
  if (jsonrpc !== '2.0') return invalid('jsonrpc must be "2.0"', readable, isResponse);
  if (id !== undefined && readable === undefined && !(isResponse && id === null)) {
    return invalid('id must be a well-formed string or an integer within ±(2^53-1)', undefined, isResponse);
  }
  if (isResponse) return classifyResponse(value as JsonRpcResponse, readable, result, error);
  if (typeof method !== 'string' || method === '') return invalid('method must be a non-empty string', readable, false);
  if (params !== undefined && (typeof params !== 'object' || params === null || Array.isArray(params))) {
    return invalid('params must be an object', readable, false);
  }
  return id === undefined
    ? { kind: 'notification', message: value as JsonRpcNotification }
    : { kind: 'request', message: value as JsonRpcRequest };
}

function classifyResponse(
  message: JsonRpcResponse,
  id: RequestId | undefined,
  result: unknown,
  error: unknown,
): Incoming {
  // Some servers send `error: null` beside a result; it says nothing that the result does not.
  if (error === undefined || (error === null && result !== undefined)) {
    return id === undefined ? invalid('a result needs the id it answers', id, true) : { kind: 'response', message };
  }
  if (result !== undefined) return invalid('a response has either result or error', id, true);
  const { code, message: words } = (typeof error === 'object' && error !== null ? error : {}) as Record<
    string,
    unknown
  >;
  if (!Number.isInteger(code) || typeof words !== 'string') {
    return invalid('error must have an integer code and a string message', id, true);
  }
  return { kind: 'response', message };
}

function invalid(what: string, id: RequestId | undefined, response: boolean): Fault {
  return fault(MCP_CODES.INVALID_REQUEST, `Invalid request: ${what}`, id, response);
}

function fault(code: Fault['code'], message: string, id?: RequestId, response = false): Fault {
  return id === undefined ? { kind: 'fault', code, message, response } : { kind: 'fault', code, message, id, response };
}
