import { describe, expect, it } from 'vitest';
import { type Candidate, Placement } from './placement.js';

const thread = (tenants: Record<string, number>, more: Partial<Candidate> = {}): Candidate => ({
  freePlaces: 4,
  guests: Object.values(tenants).reduce((sum, count) => sum + count, 0),
  tenants: new Map(Object.entries(tenants)),
  busy: false,
  ...more,
});

describe('Placement', () => {
  it('prefers a thread that does not compute, then the one with the fewest guests, then the first', () => {
    const placement = new Placement();
    const [busy, three, one, same] = [
      thread({}, { busy: true }),
      thread({ b: 3 }),
      thread({ b: 1 }),
      thread({ b: 1 }),
    ] as const;
    expect(placement.choose([busy, three, one, same], 'a')).toBe(one);
    expect(placement.choose([busy], 'a')).toBe(busy);
    expect(placement.choose([thread({}, { freePlaces: 0 })], 'a')).toBeUndefined();
  });

  it('keeps a tenant to half of the threads while there is room on them', () => {
    const placement = new Placement();
    const [mine, mineToo, empty] = [thread({ a: 3 }), thread({ a: 2 }, { busy: true }), thread({})] as const;
    const threads = [mine, mineToo, empty, empty];
    expect(placement.choose(threads, 'a')).toBe(mine);
    expect(placement.choose(threads, 'b')).toBe(empty);
    const full = [thread({ a: 4 }, { freePlaces: 0 }), thread({ a: 4 }, { freePlaces: 0 }), empty];
    expect(placement.choose(full, 'a')).toBe(empty);
  });

  it('keeps a tenant whose code cost a thread apart from others for a minute', () => {
    let now = 0;
    const placement = new Placement(() => now);
    placement.lost('a');
    const [withA, withB] = [thread({ a: 1 }), thread({ b: 2 })] as const;
    expect(placement.choose([withA, withB, withB], 'c')).toBe(withB);
    expect(placement.choose([thread({ b: 1 }), thread({ a: 3 })], 'a')?.tenants.has('a')).toBe(true);
    now = 60_001;
    expect(placement.choose([withA, withB, withB], 'c')).toBe(withA);
  });
});
