import type { Session } from '@gantry/contracts';
import { describe, expect, it } from 'vitest';
import { matches, readFilter } from './filter';

const session: Session = {
  id: 'S-1',
  era: 'session',
  revision: '2025-11-25',
  server: 'orders',
  client: { name: 'Cursor', version: '1.2' },
  principal: 'key:k1',
  node: 'n1',
  state: 'idle',
  createdAt: '2026-01-01T00:00:00Z',
  lastSeenAt: '2026-01-01T00:00:00Z',
  inFlight: 0,
  streams: 0,
  calls: 0,
  errors: 0,
};

describe('the filter of the sessions', () => {
  it.each([{}, { q: 'curs' }, { q: 'S-1' }, { q: 'KEY:' }, { server: 'orders', era: 'session' as const, node: 'n1' }])(
    'keeps a row under %o',
    (filter) => {
      expect(matches(session, filter)).toBe(true);
    },
  );

  it.each([
    { q: 'other' },
    { client: 'cursor' },
    { server: 'o' },
    { state: 'active' as const },
    { era: 'stateless' as const },
  ])('leaves a row out under %o', (filter) => {
    expect(matches(session, filter)).toBe(false);
  });

  it('is read from a query, and what is unknown in it counts as absent', () => {
    expect(readFilter({ q: '', era: 'bronze', state: 'idle', node: ['a', 'b'], client: 'Cursor' })).toEqual({
      client: 'Cursor',
      state: 'idle',
    });
  });
});
