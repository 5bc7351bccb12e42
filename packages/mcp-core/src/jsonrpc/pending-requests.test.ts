import { describe, expect, it } from 'vitest';
import { InMemoryPendingRequests, type PendingRequest } from './pending-requests.js';

const request = (): PendingRequest => ({ settle() {}, progress() {} });

describe('InMemoryPendingRequests', () => {
  it('gives a request out once', () => {
    const pending = new InMemoryPendingRequests();
    const one = request();
    pending.add('n1', one);
    expect([pending.take('n1'), pending.take('n1'), pending.size]).toEqual([one, undefined, 0]);
  });

  it('expects one late answer for an abandoned request, none for one that never was', () => {
    const pending = new InMemoryPendingRequests();
    pending.add('n1', request());
    pending.abandon('n1');
    pending.abandon('n2');
    expect(['n1', 'n1', 'n2'].map((key) => pending.expectsLateAnswer(key))).toEqual([true, false, false]);
  });

  it('remembers the latest thousand abandoned requests and no more', () => {
    const pending = new InMemoryPendingRequests();
    for (let id = 0; id <= 1000; id++) {
      pending.add(`n${id}`, request());
      pending.abandon(`n${id}`);
    }
    expect(['n0', 'n1', 'n1000'].map((key) => pending.expectsLateAnswer(key))).toEqual([false, true, true]);
  });

  it('keeps the newest tie of a token, whoever lets go of an older one', () => {
    const pending = new InMemoryPendingRequests();
    const [older, newer] = [request(), request()];
    pending.tie('t', older);
    pending.tie('t', newer);
    pending.untie('t', older);
    expect(pending.findByToken('t')).toBe(newer);
    pending.untie('t', newer);
    expect(pending.findByToken('t')).toBeUndefined();
  });
});
