import { describe, expect, it } from 'vitest';
import { readArgs, writeArgs } from './url';

describe('the arguments in a link', () => {
  it('come back as they went', () => {
    const args = { id: 'A & B=1', deep: { list: [1, null, 'ü'] } };
    expect(readArgs(writeArgs(args))).toEqual(args);
  });

  it.each([null, '', '{', '[1]', '"text"', 'null'])('are none in %j', (text) => {
    expect(readArgs(text)).toBeUndefined();
  });

  it('stay out of the address when they are empty or long', () => {
    expect(writeArgs({})).toBeNull();
    expect(writeArgs({ text: 'x'.repeat(4_000) })).toBeNull();
  });
});
