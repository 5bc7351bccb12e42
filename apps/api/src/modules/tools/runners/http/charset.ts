import { TextDecoder } from 'node:util';

/** 0x80 to 0x9F of windows-1252 (Encoding Standard, index windows-1252). */
const windows1252 =
  '\u20AC\u0081\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152\u008D\u017D\u008F' +
  '\u0090\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\u009D\u017E\u0178';

/**
 * Bytes to text by a charset label of the Encoding Standard, UTF-8 without one; what cannot be decoded is U+FFFD.
 * @returns undefined when the label is unknown.
 */
export function decodeText(bytes: Buffer, label: string | undefined): string | undefined {
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(label ?? 'utf-8');
  } catch {
    return undefined;
  }
  // Node 20 decodes windows-1252, and all labels that mean it, as ISO 8859-1.
  if (decoder.encoding !== 'windows-1252') return decoder.decode(bytes);
  return bytes.toString('latin1').replace(/[\x80-\x9f]/g, (char) => windows1252[char.charCodeAt(0) - 0x80] as string);
}
