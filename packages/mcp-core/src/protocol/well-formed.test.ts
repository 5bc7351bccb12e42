import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor } from './cursor.js';
import { encodeJson } from './well-formed.js';

describe('encodeJson', () => {
  it('replaces halves of surrogate pairs and nothing else (PAY-01)', () => {
    const value = { '\ud800': 'a\udc00', pair: '😀', escaped: '\\ud800', both: '\\\ud800', control: '\u0001"' };
    expect(JSON.parse(encodeJson(value))).toEqual({
      '\ufffd': 'a\ufffd',
      pair: '😀',
      escaped: '\\ud800',
      both: '\\\ufffd',
      control: '\u0001"',
    });
  });

  it('throws for what has no JSON text', () => {
    for (const value of [undefined, () => {}, 1n]) expect(() => encodeJson(value)).toThrow(TypeError);
  });
});

describe('cursors', () => {
  it('come back for their own list and for no other', () => {
    const position = { after: 'tööl', index: 7 };
    const cursor = encodeCursor('tools a', position);
    expect(decodeCursor('tools a', cursor)).toEqual(position);
    expect(decodeCursor('tools b', cursor)).toBeUndefined();
  });

  it('are refused when made up', () => {
    const cursor = encodeCursor('l', { after: 'x', index: 1 });
    for (const made of ['', '.', 'zzz', cursor.slice(1), `${cursor}x`, 'x'.repeat(2_000), 7, null, undefined, {}]) {
      expect(decodeCursor('l', made)).toBeUndefined();
    }
  });
});
