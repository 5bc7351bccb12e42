import { describe, expect, it } from 'vitest';
import { FakeClock } from './fake-clock.js';

describe('FakeClock', () => {
  it('fires timers in order of time, each at its own time, also those set on the way', () => {
    const clock = new FakeClock(1000);
    const fired: Array<[string, number]> = [];
    const note = (name: string) => fired.push([name, clock.now()]);
    clock.setTimer(20, () => note('b'));
    clock.setTimer(10, () => {
      note('a');
      clock.setTimer(15, () => note('c'));
    });
    clock.advance(9);
    expect(fired).toEqual([]);
    clock.advance(100);
    expect(fired).toEqual([
      ['a', 1010],
      ['b', 1020],
      ['c', 1025],
    ]);
    expect([clock.now(), clock.pending]).toEqual([1109, 0]);
  });

  it('does not fire a cancelled timer', () => {
    const clock = new FakeClock();
    const timer = clock.setTimer(1, () => expect.unreachable());
    timer.cancel();
    timer.cancel();
    clock.advance(5);
    expect(clock.pending).toBe(0);
  });
});
