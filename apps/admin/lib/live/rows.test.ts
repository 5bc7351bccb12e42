import { describe, expect, it } from 'vitest';
import { applyFrame } from './rows';

const row = (id: string, value = 0) => ({ id, value });
const rows = [row('a'), row('b'), row('c')];

describe('rows after a frame', () => {
  it('change in place, come at the end, and go', () => {
    const frame = { kind: 'delta' as const, upserted: [row('d'), row('b', 1)], removed: ['a'] };
    expect(applyFrame(rows, frame)).toEqual([row('b', 1), row('c'), row('d')]);
  });

  it('are those of a snapshot that holds everything', () => {
    const frame = { kind: 'snapshot' as const, items: [row('d'), row('a', 2)], more: false, silentNodes: [] };
    expect(applyFrame(rows, frame)).toEqual([row('a', 2), row('d')]);
  });

  it.each([
    { more: true, silentNodes: [] },
    { more: false, silentNodes: ['n1'] },
  ])('stay when the snapshot may lack them: %o', (why) => {
    expect(applyFrame(rows, { kind: 'snapshot', items: [row('a', 2)], ...why })).toEqual([
      row('a', 2),
      row('b'),
      row('c'),
    ]);
  });
});
