import { describe, expect, it } from 'vitest';
import { Turns } from './turns.js';

/** Turns whose steps the test takes itself. */
function manual(idle: () => boolean = () => false) {
  const steps: (() => void)[] = [];
  const due: number[] = [];
  const ran: string[] = [];
  const clock = { now: 0 };
  const turns = new Turns({
    onDue: (count) => void due.push(count),
    idle,
    next: (then) => void steps.push(then),
    now: () => clock.now,
  });
  /** An entry that takes so many milliseconds. */
  const entry = (name: string, ms = 1) => {
    return () => {
      clock.now += ms;
      ran.push(name);
    };
  };
  const step = async () => {
    steps.shift()?.();
    await new Promise(setImmediate);
  };
  const all = async () => {
    while (steps.length > 0) await step();
  };
  return { turns, due, ran, entry, step, all };
}

describe('Turns', () => {
  it('lets tenants that need as much take turns, and keeps the order of each', async () => {
    const { turns, ran, entry, all } = manual();
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) turns.push(name[0] ?? '', entry(name));
    await all();
    expect(ran).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('delays what comes for a tenant by the entry that runs, however much others have due', async () => {
    const { turns, ran, entry, step, all } = manual();
    for (const name of ['a1', 'a2', 'a3']) turns.push('a', entry(name, 200));
    for (const name of ['c1', 'c2']) turns.push('c', entry(name, 201));
    await step();
    turns.push('b', entry('b1'));
    await step();
    await step();
    expect(ran).toEqual(['a1', 'c1', 'b1']);
    await step();
    turns.push('b', entry('b2'));
    await step();
    expect(ran).toEqual(['a1', 'c1', 'b1', 'a2', 'b2']);
    await all();
    expect(ran).toEqual(['a1', 'c1', 'b1', 'a2', 'b2', 'c2', 'a3']);
  });

  it('runs what ends a guest before its tenant’s other entries, and one entry at a time', async () => {
    const { turns, ran, entry, step, all } = manual();
    let finish = () => {};
    turns.push('a', async () => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      ran.push('slow');
    });
    turns.push('a', entry('later'));
    await step();
    turns.push('a', entry('urgent'), true);
    await all();
    expect(ran).toEqual([]);
    finish();
    await new Promise(setImmediate);
    await all();
    expect(ran).toEqual(['slow', 'urgent', 'later']);
  });

  it('tells how many wait, and uses idle time only when none does', async () => {
    let left = 2;
    const seen: number[] = [];
    const { turns, due, all } = manual(() => {
      seen.push(due.at(-1) ?? -1);
      return --left > 0;
    });
    turns.push('a', () => {});
    turns.push('a', () => {});
    await all();
    expect(due).toEqual([1, 2, 1, 0]);
    expect(seen).toEqual([0, 0]);
  });
});
