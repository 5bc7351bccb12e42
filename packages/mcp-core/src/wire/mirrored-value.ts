import { Buffer, isUtf8 } from 'node:buffer';

const PREFIX = '=?base64?';
const SUFFIX = '?=';
const CANONICAL = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * What a mirrored header (`Mcp-Name`, `Mcp-Param-*`) stands for (2026-07-28, transports): `=?base64?…?=` is decoded,
 * anything else is literal. Undefined when the form is there and its payload is broken.
 */
export function decodeMirrored(value: string): string | undefined {
  if (!value.startsWith(PREFIX) || !value.endsWith(SUFFIX) || value.length < PREFIX.length + SUFFIX.length)
    return value;
  const payload = value.slice(PREFIX.length, -SUFFIX.length);
  if (!CANONICAL.test(payload)) return undefined;
  const bytes = Buffer.from(payload, 'base64');
  if (!isUtf8(bytes) || bytes.toString('base64') !== payload) return undefined;
  return bytes.toString('utf8');
}

/** The header value that `decodeMirrored` reads back: the text itself where a header can hold it. */
export function encodeMirrored(text: string): string {
  const literal = isPlainHeaderValue(text) && text === text.trim() && decodeMirrored(text) === text;
  return literal ? text : `${PREFIX}${Buffer.from(text, 'utf8').toString('base64')}${SUFFIX}`;
}

/** Visible ASCII, space and tab: all a header value may hold unencoded. */
export function isPlainHeaderValue(value: string): boolean {
  return /^[\t\x20-\x7e]*$/.test(value);
}
