import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeEventId, encodeEventId } from './event-id.js';

const stream = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);
const sequence = fc.nat({ max: 999_999_999_999_999 });

describe('event ids', () => {
  it('name stream and position, and read back as both (wire B10)', () => {
    fc.assert(
      fc.property(stream, sequence, (name, at) => {
        expect(decodeEventId(encodeEventId({ stream: name, sequence: at }))).toEqual({ stream: name, sequence: at });
      }),
    );
  });

  it('differ between positions and between streams (wire B10)', () => {
    fc.assert(
      fc.property(stream, sequence, stream, sequence, (one, first, other, second) => {
        fc.pre(one !== other || first !== second);
        expect(encodeEventId({ stream: one, sequence: first })).not.toBe(
          encodeEventId({ stream: other, sequence: second }),
        );
      }),
    );
  });

  it('are not read from anything else, and reading never throws', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 90 }), (text) => {
        const read = decodeEventId(text);
        return read === undefined || encodeEventId(read).length <= text.length;
      }),
    );
    const made = ['', '.', 'a', 'a.', '.1', 'a.-1', 'a.1.2x', 'a b.1', `${'a'.repeat(65)}.1`, 'a.1234567890123456'];
    expect(made.map(decodeEventId)).toEqual(made.map(() => undefined));
  });
});
