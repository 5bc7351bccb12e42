import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { useHeldRows } from './held-rows';

afterEach(cleanup);

const row = (id: string, value = 0) => ({ id, value });

function list(rows: { id: string; value: number }[]) {
  const hook = renderHook(({ rows, held, of }) => useHeldRows(rows, held, of), {
    initialProps: { rows, held: false, of: 'all' },
  });
  return {
    to: (next: { id: string; value: number }[], held: boolean, of = 'all') => hook.rerender({ rows: next, held, of }),
    show: () => act(() => hook.result.current.show()),
    seen: () => hook.result.current.shown.map(({ row, gone }) => `${row.id}${row.value}${gone ? ' gone' : ''}`),
    waiting: () => hook.result.current.waiting,
  };
}

describe('rows that a reader holds', () => {
  it('stand still: values change, what ends stays, what is new waits', () => {
    const rows = list([row('a'), row('b')]);
    rows.to([row('c'), row('b', 1)], true);
    expect(rows.seen()).toEqual(['a0 gone', 'b1']);
    expect(rows.waiting()).toBe(1);
    rows.to([row('d'), row('c'), row('b', 2)], true);
    expect(rows.seen()).toEqual(['a0 gone', 'b2']);
    expect(rows.waiting()).toBe(2);
  });

  it('move on when the reader asks, and stand still again', () => {
    const rows = list([row('a')]);
    rows.to([row('b'), row('a')], true);
    rows.show();
    expect(rows.seen()).toEqual(['b0', 'a0']);
    rows.to([row('c'), row('b'), row('a')], true);
    expect(rows.seen()).toEqual(['b0', 'a0']);
    expect(rows.waiting()).toBe(1);
  });

  it('are other rows at once when other ones are asked for', () => {
    const rows = list([row('a'), row('b')]);
    rows.to([row('b'), row('a')], true, 'sorted');
    expect(rows.seen()).toEqual(['b0', 'a0']);
  });

  it('move freely when nobody holds them', () => {
    const rows = list([row('a')]);
    rows.to([row('b')], true);
    rows.to([row('b')], false);
    expect(rows.seen()).toEqual(['b0']);
    expect(rows.waiting()).toBe(0);
  });
});
