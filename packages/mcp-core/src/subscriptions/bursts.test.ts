import { describe, expect, it } from 'vitest';
import { turnOver } from '../testing/turn.js';
import { Bursts } from './bursts.js';

describe('Bursts', () => {
  const make = () => {
    const told: string[] = [];
    return { told, bursts: new Bursts<string>((value) => told.push(value)) };
  };

  it('tells what came in one turn once, in order, when the turn is over', async () => {
    const { told, bursts } = make();
    for (const value of ['a', 'b', 'a', 'a']) bursts.add(value, value);
    await Promise.resolve();
    bursts.add('b', 'b');
    expect(told).toEqual([]);
    await turnOver();
    expect(told).toEqual(['a', 'b']);
  });

  it('tells again in a later turn', async () => {
    const { told, bursts } = make();
    bursts.add('a', 'a');
    await turnOver();
    bursts.add('a', 'a');
    await turnOver();
    expect(told).toEqual(['a', 'a']);
  });

  it('tells at once when asked, and nothing after it was dropped', async () => {
    const { told, bursts } = make();
    bursts.add('a', 'a');
    bursts.flush();
    expect(told).toEqual(['a']);
    bursts.add('b', 'b');
    bursts.drop();
    await turnOver();
    expect(told).toEqual(['a']);
  });
});
