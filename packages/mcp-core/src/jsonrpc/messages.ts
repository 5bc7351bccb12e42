/** JSON-RPC 2.0 as MCP narrows it: params are objects, ids are strings or safe integers, nothing is positional. */

/** The `jsonrpc` member of every message. */
export const JSONRPC_VERSION = '2.0';

/** A string (also the empty one) or an integer within ±(2^53-1). `1` and `"1"` are two different ids. */
export type RequestId = string | number;

/** Parameters by name; MCP has none by position. */
export type Params = Record<string, unknown>;

/** A message that wants an answer. */
export interface JsonRpcRequest {
  jsonrpc: '2.0';
  id: RequestId;
  method: string;
  params?: Params;
}

/** A message that gets no answer. */
export interface JsonRpcNotification {
  jsonrpc: '2.0';
  method: string;
  params?: Params;
}

/** The `error` member of an error reply (JSON-RPC 2.0, 5.1). */
export interface JsonRpcErrorObject {
  code: number;
  message: string;
  data?: unknown;
}

/** A result reply. */
export interface JsonRpcResult {
  jsonrpc: '2.0';
  id: RequestId;
  result: unknown;
}

/** An error reply. Without `id` when the message it answers could not be told apart. */
export interface JsonRpcError {
  jsonrpc: '2.0';
  id?: RequestId;
  error: JsonRpcErrorObject;
}

/** The answer to a request. */
export type JsonRpcResponse = JsonRpcResult | JsonRpcError;
/** Anything that may cross the wire; batches are arrays of these. */
export type JsonRpcMessage = JsonRpcRequest | JsonRpcNotification | JsonRpcResponse;

/** Whether a value may be the id of a request: one that can be given back as it came. */
export function isRequestId(value: unknown): value is RequestId {
  // Half of a surrogate pair has no UTF-8; it would go back as another id.
  return typeof value === 'string' ? value.isWellFormed() : Number.isSafeInteger(value);
}

/** A string that is equal for two ids exactly when the ids are equal in value and in JSON type. */
export function requestKey(id: RequestId): string {
  return typeof id === 'string' ? `s${id}` : `n${id}`;
}

/** A request; without params the member is left out. */
export function requestMessage(id: RequestId, method: string, params?: Params): JsonRpcRequest {
  return params === undefined
    ? { jsonrpc: JSONRPC_VERSION, id, method }
    : { jsonrpc: JSONRPC_VERSION, id, method, params };
}

/** A notification; without params the member is left out. */
export function notificationMessage(method: string, params?: Params): JsonRpcNotification {
  return params === undefined ? { jsonrpc: JSONRPC_VERSION, method } : { jsonrpc: JSONRPC_VERSION, method, params };
}

/** A result reply. A handler that returned nothing answers with the empty object. */
export function resultMessage(id: RequestId, result: unknown): JsonRpcResult {
  return { jsonrpc: JSONRPC_VERSION, id, result: result === undefined ? {} : result };
}

/** An error reply; pass `undefined` as id when no request can be named, and the member is left out. */
export function errorMessage(id: RequestId | undefined, code: number, message: string, data?: unknown): JsonRpcError {
  const error: JsonRpcErrorObject = data === undefined ? { code, message } : { code, message, data };
  return id === undefined ? { jsonrpc: JSONRPC_VERSION, error } : { jsonrpc: JSONRPC_VERSION, id, error };
}
