import { randomBytes } from 'node:crypto';
import { pointer } from '../../../../common/http/json-faults.js';
import type { Notes } from '../compiled.js';
import { valueText } from '../template/slots.js';
import { ArgumentRefused } from './argument-error.js';
import { wellFormed } from './encode.js';

/** Marks a member that is a file. */
export const FILE = '$file';

/**
 * Members as a multipart form (RFC 7578): a file as itself, a list as a part for each item, an object as JSON, anything
 * else as text; nothing is no part. `FormData` would give a file name to every part with a type, and change the line ends
 * of texts.
 * @throws ArgumentRefused for a file that is not base64, or a name no header can carry
 */
export function multipart(members: readonly [string, unknown][]): { bytes: Uint8Array; contentType: string } {
  // Of 144 random bits no content holds a copy by chance, and no caller can foresee them.
  const boundary = `gantry-${randomBytes(18).toString('hex')}`;
  const chunks: Uint8Array[] = [];
  for (const [name, value] of members) {
    for (const item of Array.isArray(value) ? value : [value]) {
      const part = partOf(name, item);
      if (part === undefined) continue;
      chunks.push(Buffer.from(`--${boundary}\r\n${part.head}\r\n\r\n`), part.bytes, Buffer.from('\r\n'));
    }
  }
  chunks.push(Buffer.from(`--${boundary}--\r\n`));
  return { bytes: Buffer.concat(chunks), contentType: `multipart/form-data; boundary=${boundary}` };
}

interface Part {
  readonly head: string;
  readonly bytes: Uint8Array;
}

function partOf(name: string, value: unknown): Part | undefined {
  if (value === undefined || value === null) return undefined;
  const disposition = `Content-Disposition: form-data; name="${quoted(name)}"`;
  if (typeof value !== 'object') return { head: disposition, bytes: Buffer.from(wellFormed(valueText(value))) };
  if (!Object.hasOwn(value, FILE)) {
    return { head: `${disposition}\r\nContent-Type: application/json`, bytes: Buffer.from(JSON.stringify(value)) };
  }
  const file = (value as Record<string, unknown>)[FILE];
  if (typeof file !== 'object' || file === null) throw new ArgumentRefused(`the file "${name}" is no object`);
  const { base64, text, name: fileName, type } = file as Readonly<Record<string, unknown>>;
  if (base64 === undefined && text === undefined) return undefined;
  const bytes =
    base64 === undefined ? Buffer.from(wellFormed(valueText(text))) : decodeBase64(base64, `the file "${name}"`);
  const head = `${disposition}; filename="${quoted(fileName === undefined ? name : valueText(fileName))}"`;
  return { head: `${head}\r\nContent-Type: ${mediaType(type, name)}`, bytes };
}

const FILE_MEMBERS = new Set(['base64', 'text', 'name', 'type']);

/** Checks the files among the members of a multipart body of a document. */
export function checkFiles(body: object, at: string, notes: Notes): void {
  for (const [name, value] of Object.entries(body)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (typeof item === 'object' && item !== null && Object.hasOwn(item, FILE)) {
        checkFile((item as Record<string, unknown>)[FILE], `${at}${pointer(name)}`, notes);
      }
    }
  }
}

function checkFile(file: unknown, at: string, notes: Notes): void {
  const members = typeof file === 'object' && file !== null ? Object.keys(file) : [];
  const unknown = members.filter((member) => !FILE_MEMBERS.has(member));
  const contents = members.filter((member) => member === 'base64' || member === 'text');
  if (unknown.length > 0)
    notes.fault(at, `"${FILE}" has no ${unknown.join(', ')}: expected base64 or text, name, type`);
  else if (contents.length !== 1) notes.fault(at, `"${FILE}" needs either "base64" or "text"`);
}

/** As browsers do (HTML, multipart form data): what would end the quotes or the line is escaped. */
function quoted(text: string): string {
  return wellFormed(text).replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function mediaType(type: unknown, name: string): string {
  const text = type === undefined || type === null || type === '' ? 'application/octet-stream' : valueText(type);
  if (/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(; *[\w-]+=("[\x20\x21\x23-\x7e]*"|[\w.+-]+))*$/.test(text)) return text;
  throw new ArgumentRefused(`the type of the file "${name}" is no media type: ${JSON.stringify(text.slice(0, 100))}`);
}

/** @throws ArgumentRefused; both alphabets of RFC 4648 are taken, with or without padding, and line breaks are not seen */
export function decodeBase64(value: unknown, what: string): Uint8Array {
  const text = typeof value === 'string' ? value.replace(/\s+/g, '') : undefined;
  if (text === undefined || !/^[\w+/-]*={0,2}$/.test(text)) {
    throw new ArgumentRefused(`${what} has to be base64, and is not`);
  }
  return Buffer.from(text, 'base64');
}
