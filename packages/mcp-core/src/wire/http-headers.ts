/** Request headers by lower-case name; a repeated one is an array. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** What a client takes as answer to a POST. */
export interface Acceptable {
  readonly json: boolean;
  readonly sse: boolean;
}

const BOTH: Acceptable = Object.freeze({ json: true, sse: true });
const SEEN_MAX = 256;
const seen = new Map<string, Acceptable>();

/** RFC 9110 §12.5.1 as far as two media types need it. No header means anything goes; `q=0` excludes. */
export function acceptable(header: string | string[] | undefined): Acceptable {
  if (header === undefined) return BOTH;
  const text = typeof header === 'string' ? header : header.join(',');
  const known = seen.get(text);
  if (known !== undefined) return known;
  const ranges = text.split(',').map(parseMediaType);
  const found = { json: takes(ranges, 'application', 'json'), sse: takes(ranges, 'text', 'event-stream') };
  if (text.length <= 256 && seen.size < SEEN_MAX) seen.set(text, found);
  return found;
}

interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  readonly refused: boolean;
}

/** The most specific range that matches decides. */
function takes(ranges: readonly MediaRange[], type: string, subtype: string): boolean {
  const exact = ranges.find((range) => range.type === type && range.subtype === subtype);
  const wide = ranges.find((range) => range.type === type && range.subtype === '*');
  const any = ranges.find((range) => range.type === '*' && range.subtype === '*');
  const match = exact ?? wide ?? any;
  return match !== undefined && !match.refused;
}

function parseMediaType(text: string): MediaRange {
  const [essence = '', ...parameters] = text.split(';');
  const [type = '', subtype = ''] = essence.trim().toLowerCase().split('/');
  const refused = parameters.some((parameter) => /^\s*q\s*=\s*0(\.0*)?\s*$/i.test(parameter));
  return { type, subtype, refused };
}

/** Whether a Content-Type is JSON, parameters such as a charset aside (RFC 9110 §8.3.1). */
export function isJsonMediaType(header: string | string[] | undefined): boolean {
  if (header === 'application/json') return true;
  if (typeof header !== 'string') return false;
  const { type, subtype } = parseMediaType(header);
  return type === 'application' && subtype === 'json';
}

/** A header without the white space around it; undefined when absent, `REPEATED` when it came more than once. */
export const REPEATED = Symbol('repeated header');
export function headerValue(headers: Headers, name: string): string | undefined | typeof REPEATED {
  const value = headers[name];
  if (value === undefined) return undefined;
  if (typeof value === 'string') return trimmed(value);
  return value.length === 1 ? trimmed(value[0] as string) : REPEATED;
}

/** Without spaces and tabs around it, and no other white space (RFC 9110 §5.6.3). */
function trimmed(value: string): string {
  return value.trim() === value ? value : value.replace(/^[ \t]+|[ \t]+$/g, '');
}

/** As `headerValue`, for headers whose repetition makes them as good as garbage. */
export function soleHeader(headers: Headers, name: string): string | undefined {
  const value = headerValue(headers, name);
  return value === REPEATED ? '' : value;
}
