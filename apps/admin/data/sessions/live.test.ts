import type { Session, SessionsFrame } from '@gantry/contracts';
import { describe, expect, it } from 'vitest';
import { mergeSessions } from './live';

const session = (id: string, more: Partial<Session> = {}): Session => ({
  id,
  era: 'session',
  revision: '2025-11-25',
  server: 'orders',
  client: { name: 'Cursor' },
  principal: 'anonymous',
  node: 'n1',
  state: 'active',
  createdAt: '2026-01-01T00:00:00Z',
  lastSeenAt: '2026-01-01T00:00:00Z',
  inFlight: 0,
  streams: 0,
  calls: 0,
  errors: 0,
  ...more,
});
const delta = (upserted: Session[], removed: string[] = []): SessionsFrame => ({
  kind: 'delta',
  topic: 'sessions:acme',
  number: 1,
  skipped: 0,
  upserted,
  removed,
});
const before = { items: [session('a'), session('b')], cut: false, silentNodes: ['n9'] };
const ids = (frame: SessionsFrame, filter = {}) => mergeSessions(before, frame, filter).items.map(({ id }) => id);

describe('a filtered list of sessions after a frame, which is of all sessions', () => {
  it('takes in what matches, and lets go of what does not match any more', () => {
    const frame = delta([session('c'), session('d', { era: 'stateless' }), session('b', { state: 'idle' })], ['a']);
    expect(ids(frame, { state: 'active', era: 'session' })).toEqual(['c']);
    expect(ids(frame)).toEqual(['b', 'c', 'd']);
  });

  it('keeps what a node was found to hold, whichever node a row is shown with', () => {
    expect(ids(delta([session('b', { node: 'n2' }), session('c', { node: 'n2' })]), { node: 'n1' })).toEqual([
      'a',
      'b',
    ]);
  });

  it('goes on naming silent nodes until a snapshot says who is silent', () => {
    expect(mergeSessions(before, delta([]), {}).silentNodes).toEqual(['n9']);
    const snapshot: SessionsFrame = {
      ...{ kind: 'snapshot', topic: 'sessions:acme', number: 0, skipped: 0 },
      ...{ items: before.items, more: false, silentNodes: [] },
    };
    expect(mergeSessions(before, snapshot, {}).silentNodes).toBeUndefined();
  });
});
