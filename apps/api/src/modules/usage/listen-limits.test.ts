import { expect, it } from 'vitest';
import { ListenLimits } from './listen-limits.js';

it('refuses the stream over the cap, and frees a place once however often it is given back', () => {
  const limits = new ListenLimits();
  const first = limits.take('key-1', 1);
  expect(limits.take('key-1', 1)).toEqual({ limit: 'listens', max: 1, retryAfterSeconds: 5 });
  expect(typeof limits.take('key-2', 1)).toBe('function');
  expect(limits.size).toBe(2);
  if (typeof first !== 'function') throw new Error('the first stream must be let in');
  first();
  first();
  expect(limits.size).toBe(1);
  expect(typeof limits.take('key-1', 1)).toBe('function');
  expect(limits.take('key-1', 1)).toMatchObject({ limit: 'listens' });
});
