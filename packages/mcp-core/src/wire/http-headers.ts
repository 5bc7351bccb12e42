/** Request headers by lower-case name; a repeated one is an array. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** What a client takes as answer to a POST. */
export interface Acceptable {
  readonly json: boolean;
  readonly sse: boolean;
  /** It takes both and names text/event-stream first, by weight or by place: streams are answered though JSON would do. */
  readonly sseFirst: boolean;
}

const BOTH: Acceptable = Object.freeze({ json: true, sse: true, sseFirst: false });
const SEEN_MAX = 256;
const seen = new Map<string, Acceptable>();

/** RFC 9110 §12.5.1 as far as two media types need it. No header means anything goes; `q=0` excludes. */
export function acceptable(header: string | string[] | undefined): Acceptable {
  if (header === undefined) return BOTH;
  const text = typeof header === 'string' ? header : header.join(',');
  const known = seen.get(text);
  if (known !== undefined) return known;
  const ranges = text.split(',').map(parseMediaType);
  const [json, sse] = [matching(ranges, 'application', 'json'), matching(ranges, 'text', 'event-stream')];
  const found = { json: takes(json), sse: takes(sse), sseFirst: takes(json) && isBefore(ranges, sse, json) };
  if (text.length <= 256 && seen.size < SEEN_MAX) seen.set(text, found);
  return found;
}

interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  /** 0 to 1; 0 excludes. */
  readonly weight: number;
}

/** The most specific range that matches decides. */
function matching(ranges: readonly MediaRange[], type: string, subtype: string): MediaRange | undefined {
  const exact = ranges.find((range) => range.type === type && range.subtype === subtype);
  const wide = ranges.find((range) => range.type === type && range.subtype === '*');
  return exact ?? wide ?? ranges.find((range) => range.type === '*' && range.subtype === '*');
}

const takes = (range: MediaRange | undefined): boolean => range !== undefined && range.weight > 0;

/** Whether event streams are named, and liked better than JSON. */
function isBefore(ranges: readonly MediaRange[], sse: MediaRange | undefined, json: MediaRange | undefined): boolean {
  if (sse === undefined || json === undefined || sse.subtype === '*') return false;
  return sse.weight === json.weight ? ranges.indexOf(sse) < ranges.indexOf(json) : sse.weight > json.weight;
}

function parseMediaType(text: string): MediaRange {
  const [essence = '', ...parameters] = text.split(';');
  const [type = '', subtype = ''] = essence.trim().toLowerCase().split('/');
  return { type, subtype, weight: weightOf(parameters) };
}

/** A weight that is no number counts as 1: it excludes nothing. */
function weightOf(parameters: readonly string[]): number {
  const [, weight] =
    parameters.map((parameter) => /^\s*q\s*=\s*([01](?:\.\d*)?)\s*$/i.exec(parameter)).find(Boolean) ?? [];
  return weight === undefined ? 1 : Number(weight);
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
