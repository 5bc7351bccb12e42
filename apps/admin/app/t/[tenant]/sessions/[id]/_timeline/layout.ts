/** What the timeline draws: a bar from `from` to `to`, a bar that is still open, or (with equal ends) a point. */
export interface Mark {
  id: string;
  lane: string;
  /** Epoch milliseconds. */
  from: number;
  /** Undefined while the answer is awaited. */
  to: number | undefined;
  label: string;
  bad: boolean;
}

export interface Span {
  from: number;
  to: number;
}

export interface PlacedMark {
  mark: Mark;
  row: number;
  x: number;
  width: number;
}

export interface PlacedLane {
  lane: string;
  rows: number;
  marks: PlacedMark[];
}

/** Rows that one lane may grow to; what overlaps beyond that shares the last one. */
const maxRows = 6;
/** Width of a point, and the least width of a bar, in pixels. */
const pointPx = 7;
const gapPx = 2;

/**
 * Places marks, in the order of their start, on a strip of `width` pixels that shows `view`. Those that overlap get rows of their own, so that waiting
 * is seen; those out of view are left out, and so is what is so short that it would cover its neighbour to the pixel.
 */
export function placeMarks(
  marks: readonly Mark[],
  lanes: readonly string[],
  view: Span,
  width: number,
  now: number,
): PlacedLane[] {
  const scale = width / Math.max(1, view.to - view.from);
  return lanes.map((lane) => {
    const free: number[] = [];
    const placed: PlacedMark[] = [];
    let rows = 1;
    for (const mark of marks) {
      const to = mark.to ?? Math.max(now, mark.from);
      if (mark.lane !== lane || to < view.from || mark.from > view.to) continue;
      const start = (Math.max(mark.from, view.from) - view.from) * scale;
      const end = (Math.min(to, view.to) - view.from) * scale;
      const point = mark.to === mark.from;
      const x = point ? start - pointPx / 2 : start;
      const size = point ? pointPx : Math.max(pointPx, end - start);
      const last = placed.at(-1);
      if (size === pointPx && last?.width === pointPx && last.mark.bad === mark.bad && x - last.x < 1) continue;
      let row = free.findIndex((edge) => edge <= x);
      if (row < 0) row = Math.min(free.length, maxRows - 1);
      // Points may lie on one another: a burst of them is a band, not a heap.
      if (!point) free[row] = Math.max(free[row] ?? 0, x + size + gapPx);
      placed.push({ mark, row, x, width: size });
      rows = Math.max(rows, row + 1);
    }
    return { lane, rows, marks: placed };
  });
}

/** The time that all marks take, with a little air; a minute before `now` where there are none. */
export function wholeSpan(marks: readonly Mark[], now: number): Span {
  if (marks.length === 0) return { from: now - 60_000, to: now };
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const mark of marks) {
    from = Math.min(from, mark.from);
    to = Math.max(to, mark.to ?? now);
  }
  const air = Math.max(50, (to - from) * 0.02);
  return { from: from - air, to: to + air };
}

const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500];
const longSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600, 86_400].map((s) => s * 1_000);

/** Round moments inside `view`, at most `count` of them. */
export function ticks(view: Span, count: number): number[] {
  const least = (view.to - view.from) / Math.max(1, count);
  const step = [...steps, ...longSteps].find((size) => size >= least) ?? Math.ceil(least / 86_400_000) * 86_400_000;
  const found: number[] = [];
  for (let at = Math.ceil(view.from / step) * step; at <= view.to; at += step) found.push(at);
  return found;
}

/** `view` made larger or smaller around its middle, or moved by a part of itself. */
export function zoom(view: Span, factor: number): Span {
  const [middle, half] = [(view.from + view.to) / 2, Math.max(1, ((view.to - view.from) * factor) / 2)];
  return { from: middle - half, to: middle + half };
}

export function pan(view: Span, part: number): Span {
  const by = (view.to - view.from) * part;
  return { from: view.from + by, to: view.to + by };
}
