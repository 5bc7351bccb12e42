const loneSurrogate = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** Halves of surrogate pairs become U+FFFD, so that the text has a UTF-8 form. */
export function wellFormed(text: string): string {
  return text.replace(loneSurrogate, '\uFFFD');
}

/** Percent-encodes everything but the unreserved characters of RFC 3986 §2.3. */
export function encodeStrict(text: string): string {
  return encodeURIComponent(wellFormed(text)).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

export function encodePair(name: string, value: string): string {
  return `${encodeStrict(name)}=${encodeStrict(value)}`;
}
