import { FakeClock } from '@gantry/mcp-core/testing';
import { expect, it } from 'vitest';
import type { LocalStream } from './local-stream.js';
import type { Tail } from './log-redis.js';
import { TailChecks } from './tail-checks.js';

const TAIL: Tail = { last: 0, ended: false, holder: undefined, epoch: 1, callNode: undefined };

/** A hundred streams, and a Redis that is asked about one at a time and answers when it is told to. */
function setUp() {
  const clock = new FakeClock();
  const asked: Array<() => void> = [];
  const tails = () => new Promise<Tail[]>((resolve) => void asked.push(() => resolve([TAIL])));
  const checks = new TailChecks(clock, { tailsAtOnce: 1, tails });
  const looked = new Set<number>();
  for (let at = 0; at < 100; at++) {
    const stream = { id: {}, position: 0, checked: () => void looked.add(at) };
    checks.add(stream as unknown as LocalStream);
  }
  return { clock, checks, asked, looked };
}

it('does not ask more at once of a Redis that takes its time, and looks at all in the end', async () => {
  const { clock, checks, asked, looked } = setUp();
  for (let second = 1; second <= 30; second++) clock.advance(1_000);
  const atOnce = asked.length;
  expect(atOnce).toBeGreaterThan(0);
  expect(atOnce).toBeLessThanOrEqual(8);
  for (let tick = 0; looked.size < 100 && tick < 20; tick++) {
    while (asked.length > 0) {
      for (const answer of asked.splice(0)) answer();
      await new Promise((resolve) => setImmediate(resolve));
    }
    clock.advance(1_000);
  }
  expect(looked.size).toBe(100);
  checks.close();
});

it('spreads streams that come together over ten seconds', async () => {
  const { clock, checks, asked } = setUp();
  for (let second = 1; second <= 10; second++) {
    clock.advance(1_000);
    let looks = 0;
    while (asked.length > 0) {
      looks += asked.length;
      for (const answer of asked.splice(0)) answer();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(looks).toBe(10);
  }
  checks.close();
});
