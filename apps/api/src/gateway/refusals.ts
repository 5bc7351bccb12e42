import type { Refusal } from '@gantry/mcp-core';
import type { Refusal as LimitRefusal } from '../modules/usage/limits.js';

/** JSON-RPC code of a request turned away by a limit: the caller's to mend, so not one of our own faults' numbers. */
export const LIMIT_EXCEEDED = -31429;
const INVALID_REQUEST = -32600;
const INTERNAL_ERROR = -32603;

/** A refusal before any message was read: it answers no request, so its error has no id. */
export interface EdgeRefusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const unknownServer: EdgeRefusal = {
  status: 404,
  code: INVALID_REQUEST,
  message: 'There is no MCP server at this address',
};
export function methodNotAllowed(served: readonly string[]): EdgeRefusal {
  const methods = served.filter((method) => method !== 'OPTIONS');
  const message = `Served here: ${methods.join(', ')}`;
  return { status: 405, code: INVALID_REQUEST, message, headers: { allow: served.join(', ') } };
}
export const foreignHost: EdgeRefusal = { status: 403, code: INVALID_REQUEST, message: 'This host name is not served' };
export const foreignOrigin: EdgeRefusal = { status: 403, code: INVALID_REQUEST, message: 'This origin is not allowed' };
export const unavailable: EdgeRefusal = {
  status: 503,
  code: INTERNAL_ERROR,
  message: 'The server cannot be looked up right now',
  headers: { 'retry-after': '2' },
};
export const tooManyAttempts: EdgeRefusal = {
  status: 429,
  code: LIMIT_EXCEEDED,
  message: 'Too many unknown servers or credentials from this address',
  headers: { 'retry-after': '60' },
};

export function tooLarge(limit: number): EdgeRefusal {
  return {
    status: 413,
    code: INVALID_REQUEST,
    message: `The body is larger than ${limit} bytes`,
  };
}

/** The challenge of RFC 9728 and RFC 6750; `error` only when credentials were sent. */
export function unauthorized(metadataUrl: string, sent: boolean): EdgeRefusal {
  const error = sent
    ? ', error="invalid_token", error_description="The key is unknown, revoked, expired or not for this server"'
    : '';
  return {
    status: 401,
    code: INVALID_REQUEST,
    message: sent
      ? 'The credentials are not valid for this server'
      : 'This server needs a key: Authorization: Bearer <key>',
    headers: { 'www-authenticate': `Bearer resource_metadata="${metadataUrl}"${error}` },
  };
}

export function insufficientScope(metadataUrl: string, scope: string): Refusal {
  return {
    status: 403,
    code: INVALID_REQUEST,
    message: `This key may not do that: it needs the scope ${scope}`,
    headers: {
      'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}", resource_metadata="${metadataUrl}"`,
    },
  };
}

const LIMIT_WORDS: Record<LimitRefusal['limit'], string> = {
  callsPerMinute: 'calls a minute',
  concurrentCalls: 'calls at once',
  sessions: 'sessions',
  listens: 'listen streams',
};

export function overLimit(refusal: LimitRefusal): Refusal {
  return {
    status: 429,
    code: LIMIT_EXCEEDED,
    message: `Over the limit of ${refusal.max} ${LIMIT_WORDS[refusal.limit]}`,
    data: { limit: refusal.limit, max: refusal.max, retryAfterSeconds: refusal.retryAfterSeconds },
    headers: { 'retry-after': String(refusal.retryAfterSeconds) },
  };
}

/** A limit over all nodes that cannot be counted just now: nobody is let past it. */
export const limitsAway: Refusal = {
  status: 503,
  code: INTERNAL_ERROR,
  message: 'Limits cannot be checked right now; try again',
  headers: { 'retry-after': '1' },
};

/** The JSON-RPC error of an edge refusal. */
export function refusalBody(refusal: EdgeRefusal): string {
  return JSON.stringify({ jsonrpc: '2.0', error: { code: refusal.code, message: refusal.message } });
}
