import { expect, it } from 'vitest';
import { Gate } from './gate.js';

it('lets so many run at once, in the order they came, whether they succeed or not', async () => {
  const gate = new Gate(2);
  const log: string[] = [];
  const ends: Array<() => void> = [];
  const jobs = [0, 1, 2, 3, 4].map((at) =>
    gate.run(() => {
      log.push(`start ${at}`);
      return new Promise<number>((resolve, reject) =>
        ends.push(() => (at % 2 ? reject(new Error('no')) : resolve(at))),
      );
    }),
  );
  const outcomes = Promise.allSettled(jobs);
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  await turn();
  expect(log).toEqual(['start 0', 'start 1']);
  ends[1]?.();
  await turn();
  expect(log).toEqual(['start 0', 'start 1', 'start 2']);
  ends[0]?.();
  ends[2]?.();
  await turn();
  expect(log).toHaveLength(5);
  ends[3]?.();
  ends[4]?.();
  expect((await outcomes).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
});
