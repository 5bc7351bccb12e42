import { describe, expect, it } from 'vitest';
import type { HandlerContext } from '../jsonrpc/handler-context.js';
import { InMemoryStateSealer } from '../memory/state-sealer.js';
import { randomIds } from '../ports/id-generator.js';
import { silentLogger } from '../ports/logger.js';
import { FakeClock } from '../testing/fake-clock.js';
import { fixtureRunner, fixtureSnapshot } from '../testing/fixture-server.js';
import { REVISIONS } from '../wire/revisions.js';
import { DEFAULT_LIMITS } from './limits.js';
import { methodTable } from './method-tables.js';
import { prepare } from './prepared-server.js';
import type { RequestContext } from './request-context.js';

/** A request with no transport under it: what a method needs and nothing else. */
function requestOf(revisionName: string) {
  const revision = REVISIONS.find(({ name }) => name === revisionName);
  if (revision === undefined) throw new Error(`no such revision: ${revisionName}`);
  const snapshot = fixtureSnapshot();
  const told: string[] = [];
  const extra: RequestContext = {
    revision,
    host: { server: 's', snapshot, owner: 'o', principal: { kind: 'key', id: 'k', scopes: [] }, runner: fixtureRunner },
    server: prepare('s', snapshot),
    client: { revision: revisionName, capabilities: {} },
    session: undefined,
    clock: new FakeClock(),
    limits: DEFAULT_LIMITS,
    logger: silentLogger,
    ids: randomIds,
    sealer: new InMemoryStateSealer(),
    askable: () => undefined,
    logThreshold: undefined,
    begin: () => told.push('begin'),
    awaits: () => {},
    admitted: () => told.push('admitted'),
    refuseWith: (status) => told.push(`refuse ${status}`),
    toolCalled: (name) => told.push(`tool ${name}`),
    toolFailed: () => told.push('failed'),
    mirrorFault: () => undefined,
    open: (agreed) => void told.push(`open ${agreed.name}`),
    announce: () => {},
    closeStream: () => {},
    listen: async () => undefined,
  };
  const run = { id: 1, method: '', extra } as HandlerContext<RequestContext>;
  const answer = (method: string, params: Record<string, unknown> = {}) =>
    methodTable(revision).get(method)?.(params, run);
  return { answer, told };
}

const parsed = (value: unknown) => JSON.parse(JSON.stringify(value));

describe('dispatch without a transport (seed B1)', () => {
  it('answers the methods of a revision and has no others', () => {
    const { answer } = requestOf('2025-11-25');
    expect(answer('ping')).toEqual({});
    expect(parsed(answer('tools/list')).tools).toHaveLength(12);
    expect(parsed(answer('tools/call', { name: 'add', arguments: { a: 1, b: 2 } })).content[0].text).toBe('3');
    expect(answer('server/discover')).toBeUndefined();
    expect(requestOf('2026-07-28').answer('ping')).toBeUndefined();
  });

  it('tells the exchange what happened, in order', () => {
    const call = requestOf('2026-07-28');
    call.answer('tools/call', { name: 'boom' });
    expect(call.told).toEqual(['begin', 'tool boom', 'admitted', 'failed']);
    const opening = requestOf('2025-11-25');
    opening.answer('initialize', { protocolVersion: '2025-06-18' });
    expect(opening.told).toEqual(['begin', 'admitted', 'open 2025-06-18']);
  });

  it('answers the same bytes for the same page of a snapshot', () => {
    const { answer } = requestOf('2026-07-28');
    expect(answer('tools/list')).toBe(answer('tools/list'));
  });

  it('throws wire errors for bad params', () => {
    const { answer } = requestOf('2025-11-25');
    expect(() => answer('tools/call', { name: 1 })).toThrow('name must be a string');
    expect(() => answer('tools/list', { cursor: 'x' })).toThrow('cursor is not one of this list');
    expect(() => answer('initialize', { capabilities: [] })).toThrow('capabilities must be an object');
    expect(() => answer('logging/setLevel', { level: 'x' })).toThrow('level must be one of');
  });
});
