import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asciiUri } from './ascii-uri.js';

describe('asciiUri', () => {
  it('encodes what is beyond ASCII and nothing else, so that doing it twice is doing it once (MOD-02)', () => {
    expect(asciiUri('kb://設計/1?q=å#x%20y')).toBe('kb://%E8%A8%AD%E8%A8%88/1?q=%C3%A5#x%20y');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        const uri = asciiUri(text);
        expect(uri).toMatch(/^[\0-\x7f]*$/);
        expect(asciiUri(uri)).toBe(uri);
      }),
    );
    expect(asciiUri('docs://readme')).toBe('docs://readme');
  });

  it('takes half of a surrogate pair for the replacement character', () => {
    expect(asciiUri('a:\ud800')).toBe('a:%EF%BF%BD');
  });
});
