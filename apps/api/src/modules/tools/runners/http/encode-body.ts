import type { HttpRunnerSpec } from '@gantry/contracts';
import { valueText } from '../template/slots.js';
import { ArgumentRefused } from './argument-error.js';
import { wellFormed } from './encode.js';
import { decodeBase64, multipart } from './multipart.js';
import { queryPairs } from './query-pairs.js';

export interface EncodedBody {
  readonly bytes: string | Uint8Array;
  /** What the request says it is, unless the tool says so itself. */
  readonly contentType: string;
}

type BodyType = NonNullable<HttpRunnerSpec['bodyType']>;

/** @throws ArgumentRefused when the value has no such form */
export function encodeBody(value: unknown, type: BodyType, contentType: string | undefined): EncodedBody {
  switch (type) {
    case 'form':
      return { bytes: form(value), contentType: 'application/x-www-form-urlencoded' };
    case 'multipart':
      return multipart(membersOf(value, 'a multipart body'));
    case 'text':
      return { bytes: wellFormed(valueText(value)), contentType: 'text/plain; charset=utf-8' };
    case 'binary':
      return { bytes: decodeBase64(value, 'the body'), contentType: 'application/octet-stream' };
    default:
      return { bytes: textAs(value, contentType) ?? JSON.stringify(value), contentType: 'application/json' };
  }
}

/**
 * The type of a body whose tool names none: what its Content-Type says.
 * @throws ArgumentRefused for multipart, whose Content-Type names a boundary that nobody knows before
 */
export function bodyTypeOf(value: unknown, contentType: string | undefined): BodyType {
  const type = contentType?.split(';')[0]?.trim().toLowerCase();
  const members = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (type === 'application/x-www-form-urlencoded' && members) return 'form';
  if (!type?.startsWith('multipart/')) return 'json';
  throw new ArgumentRefused(
    'a multipart body is made with "bodyType": "multipart" and without a Content-Type of its own',
  );
}

/** A text under a type of its own, which is not JSON, goes as it is. */
function textAs(value: unknown, contentType: string | undefined): string | undefined {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (typeof value !== 'string' || type === '' || /^application\/([a-z0-9.+-]*\+)?json$/.test(type)) return undefined;
  return wellFormed(value);
}

function form(value: unknown): string {
  return membersOf(value, 'a form')
    .flatMap(([name, member]) => queryPairs(name, member))
    .join('&');
}

function membersOf(value: unknown, what: string): [string, unknown][] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return Object.entries(value);
  throw new ArgumentRefused(`${what} is made of an object's members, and this is none`);
}
