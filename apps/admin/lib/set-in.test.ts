import { describe, expect, it } from 'vitest';
import { setIn } from './set-in';

describe('setIn', () => {
  it('replaces one member and shares the rest', () => {
    const before = { a: { b: 1, c: [1] }, d: {} };
    const after = setIn(before, ['a', 'b'], 2);
    expect(after).toEqual({ a: { b: 2, c: [1] }, d: {} });
    expect(after.d).toBe(before.d);
    expect(before.a.b).toBe(1);
  });

  it('removes a member that is set to undefined', () => {
    expect(setIn({ a: { b: 1 }, c: 2 }, ['a', 'b'], undefined)).toEqual({ a: {}, c: 2 });
  });

  it('makes the objects on the way', () => {
    expect(setIn<Record<string, unknown>>({}, ['annotations', 'readOnlyHint'], true)).toEqual({
      annotations: { readOnlyHint: true },
    });
  });
});
