import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeMirrored, encodeMirrored, isPlainHeaderValue } from './mirrored-value.js';

/** Text without halves of surrogate pairs: what UTF-8 can carry. */
const text = fc.string({ unit: 'binary', maxLength: 60 }).filter((value) => value.isWellFormed());

describe('mirrored header values', () => {
  it('come back as they went out, whatever the text (wire C5)', () => {
    fc.assert(fc.property(text, (value) => decodeMirrored(encodeMirrored(value)) === value));
  });

  it('are always something a header can hold, without spaces at its ends', () => {
    fc.assert(
      fc.property(text, (value) => {
        const sent = encodeMirrored(value);
        return isPlainHeaderValue(sent) && sent === sent.trim();
      }),
    );
  });

  it('never make a reader throw, and are literal without both markers (wire C5)', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (value) => {
        const unclosed = `=?base64?${value}`.replace(/(\?=)+$/, '');
        expect(decodeMirrored(unclosed)).toBe(unclosed);
        decodeMirrored(`=?base64?${value}?=`);
      }),
    );
  });

  it('are refused when their base64 is not the one spelling of its bytes (wire C5, MOD-02)', () => {
    const broken = ['=?base64?QQ?=', '=?base64?QR==?=', '=?base64?Q Q=?=', '=?base64?_w==?=', '=?base64?/w==?='];
    expect(broken.map(decodeMirrored)).toEqual(broken.map(() => undefined));
    expect(decodeMirrored('=?BASE64?QQ==?=')).toBe('=?BASE64?QQ==?=');
  });
});
