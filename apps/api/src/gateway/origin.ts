import type { IncomingMessage } from 'node:http';

const EXPOSED = 'Mcp-Session-Id, WWW-Authenticate';
const ALLOWED_METHODS = 'GET, POST, DELETE, OPTIONS';
const ALLOWED_HEADERS =
  'authorization, content-type, accept, last-event-id, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name';

/** Whole-value match; `null` is never an allowed origin, and `*` counts only where somebody wrote it down. */
export function originAllowed(origin: string, ...lists: (readonly string[])[]): boolean {
  if (origin === 'null') return false;
  return lists.some((list) => list.includes(origin) || list.includes('*'));
}

/** CORS grants for an allowed origin, on every real answer. */
export function corsHeaders(origin: string): Record<string, string> {
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED, vary: 'Origin' };
}

/** Answer of a preflight. `Mcp-Param-*` names are dynamic and `*` does not cover Authorization, so what is asked for is reflected. */
export function preflightHeaders(request: IncomingMessage, origin: string): Record<string, string> {
  const asked = request.headers['access-control-request-headers'];
  return {
    ...corsHeaders(origin),
    'access-control-allow-methods': ALLOWED_METHODS,
    'access-control-allow-headers': safeHeaderList(asked) ?? ALLOWED_HEADERS,
    'access-control-max-age': '600',
    vary: 'Origin, Access-Control-Request-Headers',
  };
}

const TOKEN_LIST = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+(\s*,\s*[A-Za-z0-9!#$%&'*+.^_`|~-]+)*$/;

function safeHeaderList(asked: string | undefined): string | undefined {
  return asked !== undefined && asked.length <= 2_048 && TOKEN_LIST.test(asked) ? asked : undefined;
}
