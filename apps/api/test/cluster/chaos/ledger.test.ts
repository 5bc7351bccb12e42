import { describe, expect, it } from 'vitest';
import { Ledger, Progress, Told } from './ledger.js';

const faultsOf = (numbers: readonly (readonly [number, number])[]) => {
  const ledger = new Ledger();
  const told = new Told(ledger);
  for (const [number, attempt] of numbers) told.hear({ number, attempt });
  return ledger.faults;
};
const none = { lost: 0, doubled: 0, reordered: 0, 'session lost': 0, other: 0 };

describe('the books of a chaos run', () => {
  it('take a message that was said again for no fault, from whichever number on', () => {
    expect(
      faultsOf([
        [4, 1],
        [5, 1],
        [5, 2],
        [6, 1],
      ]),
    ).toEqual(none);
  });

  it('find what was lost, doubled and out of order', () => {
    expect(
      faultsOf([
        [1, 1],
        [4, 1],
      ]),
    ).toEqual({ ...none, lost: 2 });
    expect(
      faultsOf([
        [1, 1],
        [1, 1],
      ]),
    ).toEqual({ ...none, doubled: 1 });
    expect(
      faultsOf([
        [2, 1],
        [1, 2],
      ]),
    ).toEqual({ ...none, reordered: 1 });
  });

  it('find the same in the progress of a call', () => {
    const ledger = new Ledger();
    const progress = new Progress(ledger);
    for (const reached of [1, 2, 2, 5, 3]) progress.hear(reached);
    expect(ledger.faults).toEqual({ ...none, lost: 2, doubled: 1, reordered: 1 });
    expect(ledger.events).toBe(5);
  });
});
