import type { GantryNode } from '@gantry/contracts';
import { describe, expect, it } from 'vitest';
import { isLastReady, isSilent, skewText, versionSkew } from './node-model';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const node = (id: string, more: Partial<GantryNode> = {}): GantryNode => ({
  id,
  role: 'api',
  version: '1.0.0',
  url: 'http://127.0.0.1:1',
  startedAt: at(0),
  state: 'ready',
  sessions: 0,
  streams: 0,
  inFlight: 0,
  lastSeenAt: at(10),
  ...more,
});

describe('a set of nodes', () => {
  it('has a silent one when the others have beaten since, whatever the clock of the reader says', () => {
    const late = node('late', { lastSeenAt: at(5) });
    expect(isSilent(late, [late])).toBe(false);
    expect(isSilent(late, [late, node('other')])).toBe(true);
    expect(isSilent({ ...late, state: 'gone' }, [late, node('other')])).toBe(false);
  });

  it('names the versions of the living when they differ', () => {
    expect(versionSkew([node('a'), node('b')])).toEqual([]);
    expect(versionSkew([node('a', { version: '1.1.0' }), node('b')])).toEqual(['1.0.0', '1.1.0']);
    expect(versionSkew([node('a', { version: '1.1.0', state: 'gone' }), node('b')])).toEqual([]);
  });

  it('knows the last one that clients can be sent to', () => {
    const a = node('a');
    expect(isLastReady(a, [a, node('b')])).toBe(false);
    expect(isLastReady(a, [a, node('b', { state: 'draining' }), node('c', { role: 'worker' })])).toBe(true);
  });

  it('tells how far a clock is off, and that it is unknown', () => {
    expect([undefined, 4, 1_500, -300].map((clockSkewMs) => skewText(node('a', { clockSkewMs })))).toEqual([
      'unknown',
      'exact',
      '1.50 s ahead',
      '300 ms behind',
    ]);
  });
});
