/**
 * A URI with its characters beyond ASCII percent-encoded as UTF-8 (RFC 3987 §3.1), which is how a resource's URI stands
 * in every message: the schema of each revision wants RFC 3986. What is ASCII already comes back as it is.
 */
export function asciiUri(uri: string): string {
  if (!/[^\0-\x7f]/.test(uri)) return uri;
  // Half of a surrogate pair has no UTF-8.
  return uri.toWellFormed().replace(/[^\0-\x7f]+/g, (characters) => encodeURIComponent(characters));
}
