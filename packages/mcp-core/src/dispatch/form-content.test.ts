import { describe, expect, it } from 'vitest';
import { fitsForm } from './form-content.js';
import { formFault } from './form-faults.js';

const COLOURS = [
  { const: 'r', title: 'Red' },
  { const: 'g', title: 'Green' },
];

/** Which of the values a form with that one field takes. */
function taken(field: object, values: readonly unknown[]): unknown[] {
  const schema = { type: 'object', properties: { it: field } };
  expect(formFault(schema, 'form')).toBeUndefined();
  return values.filter((it) => fitsForm(schema, { it }));
}

describe('a field of a form', () => {
  it.each<[object, unknown[], unknown[]]>([
    [{ type: 'string' }, ['', 'a'], [1, null, true, ['a'], {}]],
    [{ type: 'string', minLength: 2, maxLength: 3 }, ['ab', '👋👋👋'], ['a', '👋', 'abcd']],
    [{ type: 'string', pattern: '^[a-z]+$' }, ['abc'], ['', 'a1']],
    [{ type: 'string', format: 'email' }, ['a@b.c'], ['a', 'a@']],
    [{ type: 'string', format: 'uri' }, ['https://example.com/x'], ['/x', 'x y']],
    [{ type: 'string', format: 'date' }, ['2026-02-28'], ['2026-02-30', '28.2.2026']],
    [{ type: 'string', format: 'date-time' }, ['2026-02-28T10:00:00Z'], ['2026-02-28']],
    [{ type: 'string', format: 'of-our-own' }, ['anything'], [1]],
    [{ type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'] }, ['a'], ['A', 'c']],
    [{ type: 'string', oneOf: COLOURS }, ['r', 'g'], ['Red', 'b', null]],
    [{ type: 'number', minimum: 0, maximum: 1.5 }, [0, 1.5], [-0.1, 1.6, '1']],
    [{ type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 3 }, [1, 2.0], [0, 1.5, 3]],
    [{ type: 'integer', enum: [1, 2] }, [1], [3, '1']],
    [{ type: 'boolean', default: false }, [true, false], ['true', 0, null]],
    [
      { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, minItems: 1 },
      [['a'], ['a', 'a']],
      [[], ['c'], 'a'],
    ],
    [{ type: 'array', items: { anyOf: COLOURS }, maxItems: 1, uniqueItems: true }, [[], ['r']], [['r', 'g'], ['Red']]],
    [{ type: 'array', items: { anyOf: COLOURS }, uniqueItems: true }, [['r', 'g']], [['r', 'r']]],
  ])('%j takes what it says, and nothing else', (field, fitting, others) => {
    expect(taken(field, [...fitting, ...others])).toEqual(fitting);
  });
});

describe('a form', () => {
  const properties = { a: { type: 'string' }, b: { type: 'string' } };

  it('needs what is required, and takes more than its fields unless it says otherwise', () => {
    const open = { type: 'object', properties, required: ['a', 'toString'] };
    expect(fitsForm(open, { a: 'x', toString: 'y' })).toBe(true);
    expect(fitsForm(open, { a: 'x' })).toBe(false);
    expect(fitsForm({ type: 'object', properties }, { constructor: 1 })).toBe(true);
    expect(fitsForm({ type: 'object', properties, additionalProperties: false }, { a: 'x', c: 1 })).toBe(false);
    expect(fitsForm({ type: 'object', properties, additionalProperties: false }, { b: 'x' })).toBe(true);
  });
});
