import { describe, expect, it } from 'vitest';
import { share, type Waiting } from './stride.js';

const tenant = (tenantId: string, more: Partial<Waiting> = {}): Waiting => ({
  tenantId,
  waiting: 1_000,
  admitted: 0,
  cap: 100,
  pass: 0,
  ...more,
});
const counts = (tenants: readonly Waiting[], free: number) =>
  Object.fromEntries(share(tenants, free).map(({ tenantId, count }) => [tenantId, count]));

describe('the turns of tenants', () => {
  it('give each as many slots as the others, whoever has more waiting', () => {
    expect(counts([tenant('a'), tenant('b', { waiting: 3 }), tenant('c')], 9)).toEqual({ a: 3, b: 3, c: 3 });
    expect(counts([tenant('a'), tenant('b', { waiting: 1 })], 9)).toEqual({ a: 8, b: 1 });
  });

  it('go first to who has come the least far', () => {
    expect(counts([tenant('a', { pass: 7 }), tenant('b', { pass: 6 })], 1)).toEqual({ b: 1 });
  });

  it('do not let anybody save up turns while away', () => {
    const shared = counts([tenant('busy', { pass: 1_000 }), tenant('back', { pass: 3 })], 10);
    expect(shared).toEqual({ busy: 5, back: 5 });
    expect(counts([tenant('busy', { pass: 1_000 }), tenant('new', { pass: undefined })], 2)).toEqual({
      busy: 1,
      new: 1,
    });
  });

  it('stop at the cap of each, and leave the rest to the others', () => {
    const tenants = [tenant('a', { cap: 3, admitted: 2 }), tenant('b', { cap: 2, admitted: 2 }), tenant('c')];
    expect(counts(tenants, 10)).toEqual({ a: 1, c: 9 });
  });

  it('come to the same shares whether slots come free one by one or together', () => {
    let state = [tenant('a'), tenant('b'), tenant('c')];
    const got: Record<string, number> = { a: 0, b: 0, c: 0 };
    for (let slot = 0; slot < 30; slot++) {
      for (const { tenantId, count, pass } of share(state, 1)) {
        got[tenantId] = (got[tenantId] ?? 0) + count;
        state = state.map((one) => (one.tenantId === tenantId ? { ...one, pass } : one));
      }
    }
    expect(got).toEqual({ a: 10, b: 10, c: 10 });
  });

  it('are none without free slots or waiting jobs', () => {
    expect(share([tenant('a')], 0)).toEqual([]);
    expect(share([tenant('a', { waiting: 0 })], 5)).toEqual([]);
    expect(share([], 5)).toEqual([]);
  });
});
