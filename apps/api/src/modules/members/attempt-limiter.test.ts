import { describe, expect, it } from 'vitest';
import { AttemptLimiter } from './attempt-limiter.js';

describe('AttemptLimiter', () => {
  it('refuses the attempt over the bound until the window ends, and says how long', () => {
    let now = 0;
    const limiter = new AttemptLimiter(2, 1_000, 'rate_limited', () => now);
    limiter.take('a');
    limiter.take('a');
    now = 400;
    expect(() => limiter.take('a')).toThrow(
      expect.objectContaining({ code: 'rate_limited', headers: { 'retry-after': '1' } }),
    );
    limiter.take('b');
    now = 1_000;
    limiter.take('a');
  });

  it('locks a name out from the attempt that used them up, however slowly they came', () => {
    let now = 0;
    const limiter = new AttemptLimiter(2, 1_000, 'locked_out', () => now);
    limiter.take('a');
    now = 5_000;
    limiter.take('a');
    now = 5_999;
    expect(() => limiter.take('a')).toThrow(expect.objectContaining({ code: 'locked_out' }));
    now = 6_000;
    limiter.take('a');
  });

  it('starts over once a name is cleared', () => {
    const limiter = new AttemptLimiter(1, 1_000, 'locked_out', () => 0);
    limiter.take('a');
    limiter.clear('a');
    limiter.take('a');
    expect(() => limiter.take('a')).toThrow();
  });

  it('remembers no more names than it may, the oldest going first', () => {
    const limiter = new AttemptLimiter(1, 1_000, 'rate_limited', () => 0, 2);
    for (const name of ['a', 'b', 'c']) limiter.take(name);
    limiter.take('a');
    expect(() => limiter.take('c')).toThrow();
  });
});
