import { describe, expect, it } from 'vitest';
import { CallQueue } from './call-queue.js';

const call = (tenantId: string, name = '', memoryBytes = 1) => ({ tenantId, name, memoryBytes });
/** So many places, and memory enough. */
const places = (count: number) => ({ places: count, bytes: 1_000 });

describe('CallQueue', () => {
  it('lets tenants take turns and keeps the order of each', () => {
    const queue = new CallQueue<ReturnType<typeof call>>(places(20), 10, 10);
    for (const entry of [call('a', '1'), call('a', '2'), call('a', '3'), call('b', '1'), call('c', '1')])
      queue.push(entry);
    const order = Array.from({ length: 5 }, () => queue.shift()).map((entry) => `${entry?.tenantId}${entry?.name}`);
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
    expect(queue.shift()).toBeUndefined();
  });

  it('holds a tenant back at half of the places until one of its calls ends', () => {
    const queue = new CallQueue<ReturnType<typeof call>>(places(2), 10, 10);
    const first = call('a', '1');
    for (const entry of [first, call('a', '2'), call('b', '1')]) queue.push(entry);
    expect(queue.shift()).toBe(first);
    expect(queue.shift()?.tenantId).toBe('b');
    expect(queue.shift()).toBeUndefined();
    queue.release(first);
    expect(queue.shift()?.name).toBe('2');
  });

  it('holds a tenant back at half of the memory, and everyone when all of it is held', () => {
    const queue = new CallQueue<ReturnType<typeof call>>({ places: 100, bytes: 100 }, 10, 10);
    const [first, large] = [call('a', '1', 30), call('c', '1', 45)];
    for (const entry of [first, call('a', '2', 30), call('b', '1', 30), large, call('d', '1', 5)]) queue.push(entry);
    expect([queue.shift(), queue.shift()?.tenantId]).toEqual([first, 'b']);
    expect(queue.shift()).toBeUndefined();
    queue.release(first);
    expect([queue.shift(), queue.shift()?.tenantId]).toEqual([large, 'd']);
    expect(queue.shift()).toBeUndefined();
    queue.release(large);
    expect(queue.shift()?.name).toBe('2');
  });

  it('counts a call over the share of its tenant as all of it, so that it runs', () => {
    const queue = new CallQueue<ReturnType<typeof call>>({ places: 100, bytes: 100 }, 10, 10);
    const huge = call('a', 'huge', 1_000);
    queue.push(huge);
    queue.push(call('a', 'next'));
    expect(queue.shift()).toBe(huge);
    expect(queue.shift()).toBeUndefined();
    queue.release(huge);
    expect(queue.shift()?.name).toBe('next');
  });

  it('refuses what is over its bounds, of one tenant and of all', () => {
    const queue = new CallQueue(places(2), 3, 2);
    expect(['a', 'a', 'a', 'b', 'c'].map((tenant) => queue.push(call(tenant)))).toEqual([
      true,
      true,
      false,
      true,
      false,
    ]);
    expect(queue.length).toBe(3);
  });

  it('forgets a call that was taken out, and empties', () => {
    const queue = new CallQueue(places(2), 3, 3);
    const [gone, kept] = [call('a'), call('a')];
    queue.push(gone);
    queue.push(kept);
    expect([queue.remove(gone), queue.remove(gone)]).toEqual([true, false]);
    expect(queue.drain()).toEqual([kept]);
    expect(queue.length).toBe(0);
  });
});
