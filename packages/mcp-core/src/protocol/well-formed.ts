/**
 * JSON text whose strings are all well-formed Unicode. `JSON.stringify` writes half of a surrogate pair as an escape
 * of its own, which strict readers refuse; such halves become U+FFFD, in keys as in values.
 * @throws TypeError as `JSON.stringify` does, and for a value that has no JSON text
 */
export function encodeJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`A ${typeof value} cannot be encoded as JSON`);
  return wellFormed(text);
}

/** The same for text that `JSON.stringify` has made already. */
export function wellFormed(json: string): string {
  if (!json.includes('\\ud')) return json;
  // Escapes are taken whole, so that an escaped backslash before "ud800" is not mistaken for one.
  return json.replace(/\\(?:u([0-9a-f]{4})|[^u])/g, (whole, hex: string | undefined) =>
    hex !== undefined && hex >= 'd800' && hex <= 'dfff' ? '\ufffd' : whole,
  );
}
