import type { IncomingMessage } from 'node:http';

const EXPOSED = 'Mcp-Session-Id, WWW-Authenticate';
const ALLOWED_METHODS = 'GET, POST, DELETE, OPTIONS';
const ALLOWED_HEADERS =
  'authorization, content-type, accept, last-event-id, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name';
const HOST_CACHE_MAX = 1_000;

/** Host names this deployment answers to (DNS rebinding guard). Compared by name, any port. */
export class HostCheck {
  private readonly verdicts = new Map<string, boolean>();

  constructor(private readonly allowed: readonly string[]) {}

  /** `header` is the Host header as it came; a missing one is refused. */
  allows(header: string | undefined): boolean {
    if (header === undefined) return false;
    const known = this.verdicts.get(header);
    if (known !== undefined) return known;
    const verdict = this.allowed.includes('*') || this.allowed.includes(hostName(header));
    if (this.verdicts.size >= HOST_CACHE_MAX) this.verdicts.clear();
    this.verdicts.set(header, verdict);
    return verdict;
  }
}

/** Lower-case name without port; IPv6 literals keep their brackets' content. */
export function hostName(header: string): string {
  const value = header.trim().toLowerCase();
  if (value.startsWith('[')) return value.slice(1, value.indexOf(']'));
  const colon = value.lastIndexOf(':');
  return colon === -1 ? value : value.slice(0, colon);
}

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
