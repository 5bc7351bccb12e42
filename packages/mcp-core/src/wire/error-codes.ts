import { MCP_CODES } from '../jsonrpc/errors.js';
import type { JsonRpcErrorObject } from '../jsonrpc/messages.js';
import { isJsonObject } from '../protocol/meta-keys.js';

/*
 * Error codes that only some revisions know. A tenant's code may throw any number; what leaves is one the client's
 * revision has a meaning for.
 */

/** An error of 2026-07-28, where an unknown resource is a wrong param and url elicitation is no error. */
export function modernError(error: JsonRpcErrorObject): JsonRpcErrorObject {
  if (error.code === MCP_CODES.RESOURCE_NOT_FOUND) return { ...error, code: MCP_CODES.INVALID_PARAMS };
  return withoutUrlElicitation(error);
}

/** An error of 2025-11-25, where -32042 is url elicitation and nothing else, each with its id. */
export function errorOfUrlElicitation(error: JsonRpcErrorObject): JsonRpcErrorObject {
  const { code, data } = error;
  if (code !== MCP_CODES.URL_ELICITATION_REQUIRED) return error;
  const elicitations = isJsonObject(data) && Array.isArray(data.elicitations) ? data.elicitations : [];
  const sound = elicitations.length > 0 && elicitations.every(isUrlElicitation);
  return sound ? error : withoutUrlElicitation(error);
}

/** An error of a revision that has no url elicitation. */
export function withoutUrlElicitation(error: JsonRpcErrorObject): JsonRpcErrorObject {
  return error.code === MCP_CODES.URL_ELICITATION_REQUIRED ? { ...error, code: MCP_CODES.INTERNAL_ERROR } : error;
}

function isUrlElicitation(value: unknown): boolean {
  if (!isJsonObject(value) || value.mode !== 'url') return false;
  return [value.url, value.message, value.elicitationId].every((member) => typeof member === 'string');
}
