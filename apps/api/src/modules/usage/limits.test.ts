import { describe, expect, it } from 'vitest';
import { CallLimits, type EffectiveLimits, effectiveLimits } from './limits.js';

const unlimited: EffectiveLimits = {
  callsPerMinute: undefined,
  concurrentCalls: undefined,
  sessions: 10,
  sessionsPerKey: 10,
  listens: 10,
};

describe('CallLimits', () => {
  it('refuses the call after the last of the minute and says when to come back', () => {
    let now = 1_000;
    const limits = new CallLimits(() => now);
    const five = { ...unlimited, callsPerMinute: 5 };
    for (let i = 0; i < 5; i += 1) expect(limits.enter('a', five)).toBeUndefined();
    now += 20_000;
    expect(limits.enter('a', five)).toEqual({ limit: 'callsPerMinute', max: 5, retryAfterSeconds: 40 });
    now += 40_000;
    expect(limits.enter('a', five)).toBeUndefined();
  });

  it('keeps the tenants apart', () => {
    const limits = new CallLimits(() => 0);
    const one = { ...unlimited, callsPerMinute: 1 };
    expect(limits.enter('a', one)).toBeUndefined();
    expect(limits.enter('b', one)).toBeUndefined();
    expect(limits.enter('a', one)).toBeDefined();
  });

  it('gives a place back when a call ends, and a refused call takes none', () => {
    const limits = new CallLimits(() => 0);
    const two = { ...unlimited, concurrentCalls: 2 };
    expect(limits.enter('a', two)).toBeUndefined();
    expect(limits.enter('a', two)).toBeUndefined();
    expect(limits.enter('a', two)?.limit).toBe('concurrentCalls');
    limits.leave('a');
    expect(limits.enter('a', two)).toBeUndefined();
    expect(limits.enter('a', two)?.limit).toBe('concurrentCalls');
  });

  it('counts calls that began before the limit was set', () => {
    const limits = new CallLimits(() => 0);
    expect(limits.enter('a', unlimited)).toBeUndefined();
    expect(limits.enter('a', { ...unlimited, concurrentCalls: 1 })?.limit).toBe('concurrentCalls');
    limits.leave('a');
    expect(limits.enter('a', { ...unlimited, concurrentCalls: 1 })).toBeUndefined();
  });
});

describe('effectiveLimits', () => {
  const platform = {
    callsPerMinute: 100,
    concurrentCalls: undefined,
    sessions: 7,
    sessionsPerKey: 3,
    listensPerKey: 4,
  };
  it("puts the tenant's own limits before the platform's", () => {
    expect(effectiveLimits({ callsPerMinute: 5, listens: 1 }, platform)).toEqual({
      callsPerMinute: 5,
      concurrentCalls: undefined,
      sessions: 7,
      sessionsPerKey: 3,
      listens: 1,
    });
  });
});
