import { describe, expect, it } from 'vitest';
import { GuestClock, threadCpuMs } from './guest-clock.js';

function clockWith(budgetMs: number, cpuTold = true) {
  const time = { wall: 0, cpu: 0 };
  const clock = new GuestClock(
    budgetMs,
    () => time.wall,
    () => (cpuTold ? time.cpu : undefined),
  );
  const pass = (wall: number, cpu: number) => {
    time.wall += wall;
    time.cpu += cpu;
  };
  return { clock, pass };
}

describe('GuestClock', () => {
  it('does not count waiting between stretches', () => {
    const { clock, pass } = clockWith(100);
    clock.enter();
    pass(60, 60);
    clock.leave();
    pass(10_000, 0);
    clock.enter();
    pass(30, 30);
    expect(clock.exhausted()).toBe(false);
    pass(20, 20);
    expect(clock.exhausted()).toBe(true);
  });

  it('does not charge the time for which the thread was off the CPU', () => {
    const { clock, pass } = clockWith(100);
    clock.enter();
    expect(clock.exhausted()).toBe(false);
    pass(500, 50);
    expect(clock.exhausted()).toBe(false);
    pass(500, 49);
    expect(clock.exhausted()).toBe(false);
    pass(5, 2);
    expect(clock.exhausted()).toBe(true);
  });

  it('goes by the wall clock where CPU time is not told', () => {
    const { clock, pass } = clockWith(100, false);
    clock.enter();
    pass(99, 0);
    expect(clock.exhausted()).toBe(false);
    pass(1, 0);
    expect(clock.exhausted()).toBe(true);
  });

  it.runIf(process.platform === 'linux')('reads CPU time of this thread that only grows', () => {
    const before = threadCpuMs() ?? Number.NaN;
    expect(before).toBeGreaterThan(0);
    while ((threadCpuMs() ?? Number.POSITIVE_INFINITY) < before + 2);
    expect(threadCpuMs()).toBeGreaterThanOrEqual(before + 2);
  });
});
