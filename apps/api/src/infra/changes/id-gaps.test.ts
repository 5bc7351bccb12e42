import { describe, expect, it } from 'vitest';
import { IdGaps } from './id-gaps.js';

describe('IdGaps', () => {
  it('takes each id once, in whatever order ids come', () => {
    const ids = new IdGaps(10n, 1000, 100);
    expect(ids.take(11n, 0)).toBe(true);
    expect(ids.take(14n, 0)).toBe(true);
    expect(ids.missing(0)).toEqual([12n, 13n]);
    expect(ids.take(12n, 5)).toBe(true);
    expect(ids.take(12n, 5)).toBe(false);
    expect(ids.take(14n, 5)).toBe(false);
    expect(ids.take(10n, 5)).toBe(false);
    expect(ids.missing(5)).toEqual([13n]);
    expect(ids.highest).toBe(14n);
  });

  it('gives an id up when it is missing for longer than a transaction lasts', () => {
    const ids = new IdGaps(0n, 1000, 100);
    ids.take(2n, 0);
    expect(ids.missing(1000)).toEqual([1n]);
    expect(ids.missing(1001)).toEqual([]);
  });

  it('remembers the newest missing ids when there are too many', () => {
    const ids = new IdGaps(0n, 1000, 3);
    ids.take(1_000_000_000_000n, 0);
    expect(ids.missing(0)).toEqual([999_999_999_997n, 999_999_999_998n, 999_999_999_999n]);
    ids.take(1_000_000_000_002n, 0);
    expect(ids.missing(0)).toEqual([999_999_999_998n, 999_999_999_999n, 1_000_000_000_001n]);
  });

  it('takes ids on the way to a position it was moved to', () => {
    const ids = new IdGaps(5n, 1000, 100);
    ids.advance(8n, 0);
    ids.take(7n, 0);
    expect(ids.missing(0)).toEqual([6n, 8n]);
    expect(ids.highest).toBe(8n);
  });
});
