import { FakeClock } from '@gantry/mcp-core/testing';
import { beforeEach, expect, it, vi } from 'vitest';
import { Matters } from './matters.js';

let clock: FakeClock;
let faults: unknown[];
let matters: Matters;
beforeEach(() => {
  clock = new FakeClock();
  faults = [];
  matters = new Matters(clock, (error) => faults.push(error));
});
const settled = () => new Promise((resolve) => setImmediate(resolve));

it('sees to each matter once, and to another of the same name again', async () => {
  const work = vi.fn(async () => undefined);
  matters.attend('a', work);
  await settled();
  matters.attend('a', work);
  await settled();
  expect(work).toHaveBeenCalledTimes(2);
  expect(clock.pending).toBe(0);
});

it('works on one name one at a time, and once more for all that came up meanwhile', async () => {
  let finish = () => {};
  const running = vi.fn(() => new Promise<undefined>((resolve) => (finish = () => resolve(undefined))));
  const other = vi.fn(async () => undefined);
  matters.attend('a', running);
  for (let i = 0; i < 5; i += 1) matters.attend('a', running);
  matters.attend('b', other);
  await settled();
  expect([running.mock.calls.length, other.mock.calls.length]).toEqual([1, 1]);
  finish();
  await settled();
  expect(running).toHaveBeenCalledTimes(2);
  finish();
  await settled();
  expect(running).toHaveBeenCalledTimes(2);
});

it('tries what failed each second until it is done, and tells of its faults once', async () => {
  const work = vi.fn(async (): Promise<undefined> => {
    if (work.mock.calls.length < 4) throw new Error('away');
  });
  matters.attend('a', work);
  for (let second = 1; second < 6; second += 1) {
    await settled();
    clock.advance(1_000);
  }
  expect([work.mock.calls.length, faults.length, clock.pending]).toEqual([4, 1, 0]);
});

it('looks again when the work says so, or at once when it came up anew', async () => {
  const work = vi.fn(async () => (work.mock.calls.length < 3 ? 5_000 : undefined));
  matters.attend('a', work);
  await settled();
  clock.advance(4_999);
  expect(work).toHaveBeenCalledTimes(1);
  matters.attend('a', work);
  await settled();
  expect([work.mock.calls.length, clock.pending]).toEqual([2, 1]);
  clock.advance(5_000);
  await settled();
  expect([work.mock.calls.length, clock.pending]).toEqual([3, 0]);
});

it('begins nothing once it is closed', async () => {
  const work = vi.fn(async () => 5_000);
  matters.attend('a', work);
  matters.close();
  await settled();
  matters.attend('b', work);
  await settled();
  expect([work.mock.calls.length, clock.pending]).toEqual([1, 0]);
});
