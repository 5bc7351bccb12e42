import { EgressRefused } from './errors.js';

export type HeaderPair = readonly [name: string, value: string];

/** What one hop sends. */
export interface Hop {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly HeaderPair[];
  readonly body: string | Uint8Array | undefined;
}

export const isRedirect = (status: number) =>
  status === 301 || status === 302 || status === 303 || status === 307 || status === 308;

const credentialHeaders = new Set(['authorization', 'proxy-authorization', 'cookie', 'cookie2']);
const contentHeaders = /^(content-.*|transfer-encoding)$/;

/**
 * The next hop after a redirect (RFC 9110 §15.4, method rules as in the Fetch standard): 303, and 301 or 302 after
 * POST, become GET without a body; 307 and 308 keep both. Another origin gets no credentials, and none of `secretHeaders`.
 * @throws EgressRefused when `location` is not a URL, or carries one of `secretValues` to another origin.
 */
export function nextHop(
  hop: Hop,
  status: number,
  location: string,
  secretHeaders: ReadonlySet<string>,
  secretValues: readonly string[],
): Hop {
  let next: URL;
  try {
    next = new URL(location, hop.url);
  } catch {
    throw new EgressRefused('the backend redirected to something that is not a URL');
  }
  next.hash = '';
  const { method } = hop;
  const toGet =
    (status === 303 && method !== 'GET' && method !== 'HEAD') ||
    ((status === 301 || status === 302) && method === 'POST');
  const crossOrigin = next.origin !== new URL(hop.url).origin;
  if (crossOrigin && carriesSecret(next.href, secretValues)) {
    throw new EgressRefused('the backend redirected to another origin with a secret in the URL');
  }
  const headers = hop.headers.filter(([name]) => {
    const lower = name.toLowerCase();
    if (crossOrigin && (credentialHeaders.has(lower) || secretHeaders.has(lower))) return false;
    return !(toGet && contentHeaders.test(lower));
  });
  return { url: next.href, method: toGet ? 'GET' : method, headers, body: toGet ? undefined : hop.body };
}

function carriesSecret(href: string, secretValues: readonly string[]): boolean {
  if (secretValues.length === 0) return false;
  let decoded = href;
  try {
    decoded = decodeURIComponent(href.replaceAll('+', ' '));
  } catch {
    // Not decodable as a whole: the raw spelling is still compared.
  }
  return secretValues.some((value) => href.includes(value) || decoded.includes(value));
}
