import { describe, expect, it, vi } from 'vitest';
import { Departures } from './departures.js';

function setUp() {
  const departures = new Departures('me', 1_000, vi.fn());
  const told: string[] = [];
  departures.onGone((node) => told.push(node));
  const hear = (living: string[], gone: string[], at = 0) => departures.hear(departures.begin(), { living, gone }, at);
  return { departures, told, hear };
}

describe('Departures', () => {
  it('tells once that a node is gone', () => {
    const { departures, told, hear } = setUp();
    hear(['me', 'b', 'c'], []);
    hear(['me', 'c'], ['b']);
    hear(['me', 'c'], ['b']);
    expect([told, departures.isGone('b'), departures.isGone('c'), departures.living]).toEqual([
      ['b'],
      true,
      false,
      ['me', 'c'],
    ]);
  });

  it('believes a goodbye although a beat on its way does not know of it yet', () => {
    const { departures, told, hear } = setUp();
    hear(['me', 'b'], []);
    const late = departures.begin();
    departures.left('b');
    departures.hear(late, { living: ['me', 'b'], gone: [] }, 0);
    expect([departures.isGone('b'), departures.living]).toEqual([true, ['me']]);
    hear(['me'], ['b']);
    expect(told).toEqual(['b']);
  });

  it('lets a node be back that was held for gone, and gone once more', () => {
    const { departures, told, hear } = setUp();
    hear(['me'], ['b']);
    hear(['me', 'b'], []);
    expect([departures.isGone('b'), departures.living]).toEqual([false, ['me', 'b']]);
    hear(['me'], ['b']);
    expect(told).toEqual(['b', 'b']);
  });

  it('finds a node gone that is on no list for the length of a lease, once somebody asks', () => {
    const { departures, told, hear } = setUp();
    hear(['me'], [], 0);
    expect(departures.isGone('forgotten')).toBe(false);
    hear(['me'], [], 500);
    hear(['me'], [], 1_499);
    expect(told).toEqual([]);
    hear(['me'], [], 1_500);
    expect([told, departures.isGone('forgotten')]).toEqual([['forgotten'], true]);
  });

  it('gives nodes the length of a lease to come back when Redis has lost what it knew', () => {
    const { departures, told, hear } = setUp();
    hear(['me', 'b', 'c'], [], 0);
    hear(['me'], [], 100);
    hear(['me', 'b'], [], 1_000);
    expect(told).toEqual([]);
    hear(['me', 'b'], [], 1_100);
    expect([told, departures.isGone('b')]).toEqual([['c'], false]);
  });

  it('never holds its own node for gone, and lets no listener hurt another', () => {
    const onFault = vi.fn();
    const departures = new Departures('me', 1_000, onFault);
    const told = vi.fn();
    departures.onGone(() => {
      throw new Error('no');
    });
    const stop = departures.onGone(told);
    departures.hear(departures.begin(), { living: ['b'], gone: ['me', 'c'] }, 0);
    expect([departures.isGone('me'), told.mock.calls, onFault.mock.calls.length]).toEqual([false, [['c']], 1]);
    stop();
    departures.left('d');
    expect(told).toHaveBeenCalledTimes(1);
  });
});
