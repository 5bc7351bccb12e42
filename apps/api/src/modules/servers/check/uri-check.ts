import { asciiUri, MAX_URI_LENGTH } from '@gantry/mcp-core';

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:./s;
/** Never in a URI or an IRI (RFC 3986, RFC 3987), whatever its scheme. */
const FOREIGN = /[\p{Cc}\p{Z}<>"{}|\\^`]/u;
const STRAY_PERCENT = /%(?![0-9A-Fa-f]{2})/;

/** Why a text is no absolute URI, or undefined. Characters beyond ASCII may stand for themselves (RFC 3987). */
export function uriFault(uri: string): string | undefined {
  if (!SCHEME.test(uri)) return 'must be an absolute URI, with a scheme and something behind it, e.g. "docs://readme"';
  const foreign = FOREIGN.exec(uri)?.[0];
  if (foreign !== undefined) return `must not hold ${JSON.stringify(foreign)}: percent-encode it`;
  if (STRAY_PERCENT.test(uri)) return 'holds a "%" that begins no percent-encoded byte';
  // What clients see, and ask for.
  if (asciiUri(uri).length > MAX_URI_LENGTH) {
    return `must have at most ${MAX_URI_LENGTH} characters, those beyond ASCII percent-encoded`;
  }
  return URL.canParse(uri) ? undefined : 'is not a well-formed URI';
}
