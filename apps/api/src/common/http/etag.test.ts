import { describe, expect, it } from 'vitest';
import { etagOf, requireMatch } from './etag.js';

describe('etagOf', () => {
  it('is the same whatever the order of members, and of what is not there', () => {
    expect(etagOf({ a: { x: 1, y: [1, 2] }, b: undefined })).toBe(etagOf({ a: { y: [1, 2], x: 1 } }));
  });

  it.each([[{ a: 2 }], [{ a: '1' }], [{ b: 1 }], [[{ a: 1 }]], [{ a: 1, b: null }]])('differs for %j', (other) => {
    expect(etagOf(other)).not.toBe(etagOf({ a: 1 }));
  });

  it('keeps the order of lists', () => {
    expect(etagOf([1, 2])).not.toBe(etagOf([2, 1]));
  });
});

describe('requireMatch', () => {
  it('takes the tag of what is stored, one of several, a star, or none', () => {
    const tag = etagOf({ a: 1 });
    for (const header of [undefined, '*', tag, `"other", ${tag}`]) requireMatch(header, { a: 1 });
    expect(() => requireMatch('"other"', { a: 1 })).toThrow();
    expect(() => requireMatch('*', undefined)).toThrow();
  });
});
