import { describe, expect, it } from 'vitest';
import { readFrame } from './frame';
import { TopicNumbers } from './sequence';

const delta = (number: number, topic = 'nodes') => ({ topic, kind: 'delta' as const, number });
const snapshot = (number: number, topic = 'nodes') => ({ topic, kind: 'snapshot' as const, number });

describe('the numbers of a topic', () => {
  it('let each change through once, and name a gap', () => {
    const numbers = new TopicNumbers();
    const verdicts = [snapshot(0), delta(1), delta(1), delta(2), delta(4)].map((frame) => numbers.judge(frame));
    expect(verdicts).toEqual(['take', 'take', 'again', 'take', 'gap']);
  });

  it('begin anew with every snapshot', () => {
    const numbers = new TopicNumbers();
    expect([delta(9), snapshot(0), delta(1)].map((frame) => numbers.judge(frame))).toEqual(['take', 'take', 'take']);
  });

  it('are counted for each topic alone', () => {
    const numbers = new TopicNumbers();
    expect(
      [snapshot(0), snapshot(5, 'sessions:a'), delta(1), delta(6, 'sessions:a')].map((f) => numbers.judge(f)),
    ).toEqual(['take', 'take', 'take', 'take']);
  });

  it('are forgotten with the topic', () => {
    const numbers = new TopicNumbers();
    numbers.judge(snapshot(0));
    numbers.forget('nodes');
    expect(numbers.judge(delta(7))).toBe('take');
  });
});

describe('an event of the stream', () => {
  it('is a frame when it is about a topic', () => {
    const data = JSON.stringify({ kind: 'delta', topic: 'nodes', number: 1, skipped: 0, upserted: [], removed: [] });
    expect(readFrame({ event: 'delta', data })).toMatchObject({ topic: 'nodes', number: 1 });
  });

  it.each([
    '{"kind":"close","reason":"drain"}',
    '{"kind":"delta"}',
    'null',
    'no json',
    '{"kind":"other","topic":"a","number":1}',
  ])('is none when it says %s', (data) => {
    expect(readFrame({ event: 'close', data })).toBeUndefined();
  });
});
