import { describe, expect, it } from 'vitest';
import { FakeClock } from '../testing/fake-clock.js';
import { Lane } from './lane.js';

const never = new AbortController().signal;

function setUp() {
  const clock = new FakeClock();
  const lane = new Lane(clock);
  const log: string[] = [];
  const enter = (name: string, signal: AbortSignal = never) =>
    lane.enter(signal, 1_000).then(
      () => void log.push(`${name} in`),
      (error: Error) => void log.push(`${name}: ${error.message}`),
    );
  return { clock, lane, log, enter };
}

describe('a lane', () => {
  it('lets one through at a time, in order of arrival', async () => {
    const { lane, log, enter } = setUp();
    const all = ['a', 'b', 'c'].map((name) => enter(name));
    await all[0];
    expect([log, lane.waiting]).toEqual([['a in'], 2]);
    lane.leave();
    await all[1];
    lane.leave();
    await all[2];
    expect(log).toEqual(['a in', 'b in', 'c in']);
    lane.leave();
    await enter('d');
    expect(log.at(-1)).toBe('d in');
  });

  it('frees the place of one that waited too long or was cancelled', async () => {
    const { clock, lane, log, enter } = setUp();
    await enter('a');
    const controller = new AbortController();
    const cancelled = enter('b', controller.signal);
    const late = enter('c');
    controller.abort();
    await cancelled;
    clock.advance(1_000);
    await late;
    const next = enter('d');
    lane.leave();
    await next;
    expect(log).toEqual([
      'a in',
      'b: The request was cancelled',
      'c: Waited 1000 ms for an earlier call of this session',
      'd in',
    ]);
    expect([lane.waiting, clock.pending]).toEqual([0, 0]);
  });

  it('lets nobody in whose request was cancelled already', async () => {
    const { log, enter, lane } = setUp();
    await enter('a', AbortSignal.abort());
    await enter('b');
    expect(log).toEqual(['a: The request was cancelled', 'b in']);
    lane.leave();
  });
});
