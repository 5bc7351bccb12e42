import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor } from './cursor.js';

const name = fc.string({ unit: 'binary', maxLength: 128 }).filter((value) => value.isWellFormed());
const index = fc.nat({ max: 20_000 });

describe('cursors', () => {
  it('come back for their own list, whatever its items are called (seed H1)', () => {
    fc.assert(
      fc.property(name, name, index, (list, after, at) => {
        expect(decodeCursor(list, encodeCursor(list, { after, index: at }))).toEqual({ after, index: at });
      }),
    );
  });

  it('belong to no other list (seed H2, PAG-03)', () => {
    fc.assert(
      fc.property(name, name, name, index, (list, other, after, at) => {
        fc.pre(list !== other);
        expect(decodeCursor(other, encodeCursor(list, { after, index: at }))).toBeUndefined();
      }),
    );
  });

  it('are refused once a character is changed (seed H2)', () => {
    fc.assert(
      fc.property(name, index, fc.nat(), fc.constantFrom('A', 'b', '7', '.', '_'), (after, at, where, char) => {
        const cursor = encodeCursor('list', { after, index: at });
        const place = where % cursor.length;
        fc.pre(cursor[place] !== char);
        expect(decodeCursor('list', cursor.slice(0, place) + char + cursor.slice(place + 1))).toBeUndefined();
      }),
    );
  });

  it('are refused when made up, of whatever type', () => {
    fc.assert(fc.property(fc.anything(), (made) => decodeCursor('list', made) === undefined));
  });
});
