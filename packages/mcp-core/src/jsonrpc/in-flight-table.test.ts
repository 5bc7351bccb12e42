import { describe, expect, it } from 'vitest';
import { FakeClock } from '../testing/fake-clock.js';
import { InMemoryInFlightTable } from './in-flight-table.js';

const run = () => {
  const reasons: unknown[] = [];
  return { reasons, cancel: (reason: string | undefined) => void reasons.push(reason) };
};

describe('InMemoryInFlightTable', () => {
  it('cancels every run of an id and lets go of each alone', () => {
    const table = new InMemoryInFlightTable();
    const runs = [run(), run(), run()];
    for (const each of runs) table.add('n1', each);
    table.remove('n1', runs[0]!);
    table.cancel('n1', 'why');
    expect(runs.map(({ reasons }) => reasons)).toEqual([[], ['why'], ['why']]);
    for (const each of runs) table.remove('n1', each);
    expect(table.size).toBe(0);
  });

  it('takes a cancel of an id that ended lately for late, not early', () => {
    const table = new InMemoryInFlightTable();
    const first = run();
    table.add('n1', first);
    table.remove('n1', first);
    table.cancel('n1', undefined);
    expect(table.add('n1', run())).toBe(true);
  });

  it('forgets an early cancel after a minute', () => {
    const clock = new FakeClock();
    const table = new InMemoryInFlightTable(clock);
    for (const key of ['a', 'b']) table.cancel(key, undefined);
    clock.advance(60_000);
    expect(table.add('a', run())).toBe(false);
    clock.advance(1);
    expect(table.add('b', run())).toBe(true);
  });

  it('remembers the latest 128 early cancels and no more', () => {
    const table = new InMemoryInFlightTable(new FakeClock());
    for (let id = 0; id <= 128; id++) table.cancel(`n${id}`, undefined);
    expect(table.add('n0', run())).toBe(true);
    expect(table.add('n1', run())).toBe(false);
    expect(table.add('n128', run())).toBe(false);
  });

  it('remembers no id that is as long as a body', () => {
    const table = new InMemoryInFlightTable(new FakeClock());
    table.cancel('s'.repeat(257), undefined);
    table.cancel('s'.repeat(256), undefined);
    expect(table.add('s'.repeat(257), run())).toBe(true);
    expect(table.add('s'.repeat(256), run())).toBe(false);
  });
});
