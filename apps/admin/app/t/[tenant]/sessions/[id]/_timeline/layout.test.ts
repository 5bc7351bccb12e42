import { describe, expect, it } from 'vitest';
import { type Mark, pan, placeMarks, ticks, wholeSpan, zoom } from './layout';

const view = { from: 0, to: 1_000 };
const bar = (id: string, from: number, to: number | undefined, more: Partial<Mark> = {}): Mark => ({
  id,
  lane: 'in',
  from,
  to,
  label: id,
  bad: false,
  ...more,
});
const place = (marks: Mark[], now = 1_000) => placeMarks(marks, ['in'], view, 1_000, now)[0]!;
const rows = (marks: Mark[]) => place(marks).marks.map(({ mark, row }) => [mark.id, row]);

describe('the timeline', () => {
  it('draws a request from its send to its answer', () => {
    expect(place([bar('a', 100, 400)]).marks[0]).toMatchObject({ x: 100, width: 300, row: 0 });
  });

  it('gives what overlaps a row of its own, and uses a row again when it is free', () => {
    expect(rows([bar('a', 0, 500), bar('b', 100, 200), bar('c', 300, 400), bar('d', 600, 700)])).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', 1],
      ['d', 0],
    ]);
  });

  it('never grows a lane past its rows', () => {
    const lane = place(Array.from({ length: 50 }, (_, i) => bar(String(i), i, 900)));
    expect(lane.rows).toBe(6);
    expect(lane.marks).toHaveLength(50);
  });

  it('lets what is still open end now', () => {
    expect(place([bar('a', 100, undefined)], 600).marks[0]).toMatchObject({ x: 100, width: 500 });
  });

  it('leaves out what is not in view, and cuts what reaches into it', () => {
    expect(rows([bar('before', -300, -200), bar('after', 1_200, 1_300)])).toEqual([]);
    expect(place([bar('across', -500, 200)]).marks[0]).toMatchObject({ x: 0, width: 200 });
  });

  it('draws thousands of points of one moment once, but never hides an error behind them', () => {
    const points = Array.from({ length: 5_000 }, (_, i) => bar(String(i), 500, 500));
    expect(place(points).marks).toHaveLength(1);
    expect(place([...points, bar('bad', 500, 500, { bad: true })]).marks).toHaveLength(2);
  });

  it('lays points of one burst into one row, above the bars that run meanwhile', () => {
    expect(rows([bar('a', 0, 500), bar('p', 100, 100), bar('q', 103, 103), bar('z', 600, 600)])).toEqual([
      ['a', 0],
      ['p', 1],
      ['q', 1],
      ['z', 0],
    ]);
  });

  it('shows all there is, and a minute where there is nothing', () => {
    expect(wholeSpan([], 100_000)).toEqual({ from: 40_000, to: 100_000 });
    const { from, to } = wholeSpan([bar('a', 1_000, 2_000), bar('b', 1_500, undefined)], 11_000);
    expect(from).toBeLessThan(1_000);
    expect(to).toBeGreaterThan(11_000);
  });

  it('marks round moments, few enough to be read', () => {
    expect(ticks({ from: 130, to: 1_130 }, 5)).toEqual([200, 400, 600, 800, 1_000]);
    expect(ticks({ from: 0, to: 40 * 86_400_000 }, 6).length).toBeLessThanOrEqual(6);
  });

  it('zooms around the middle and pans by parts', () => {
    expect(zoom({ from: 0, to: 100 }, 0.5)).toEqual({ from: 25, to: 75 });
    expect(pan({ from: 0, to: 100 }, -0.25)).toEqual({ from: -25, to: 75 });
  });
});
