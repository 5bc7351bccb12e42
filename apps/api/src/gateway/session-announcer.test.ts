import { type ServerDocument, serverDocumentSchema } from '@gantry/contracts';
import { FakeClock } from '@gantry/mcp-core/testing';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { InMemoryAnnouncedRevisions } from '../infra/changes/in-memory-announced-revisions.js';
import { SessionAnnouncer } from './session-announcer.js';

const tool = (name: string) => ({ name, description: name, inputSchema: { type: 'object' }, template: { text: 'x' } });
const documentOf = (names: string[], access = 'key'): ServerDocument =>
  serverDocumentSchema.parse({ name: 'Orders', access, tools: names.map(tool) });

let documents: ServerDocument[];
let sessions: unknown[];
let clock: FakeClock;
/** The first node's own: it stands still once the node is dead. */
let clockOfOne: FakeClock;
let one: SessionAnnouncer;
let two: SessionAnnouncer;
const tellSessions = vi.fn(async () => 0);
const endAll = vi.fn(async () => {});
const document = vi.fn();
const at = (revision: number) => ({ tenantId: 't1', serverId: 's1', revision });

beforeEach(() => {
  vi.clearAllMocks();
  documents = [documentOf(['a']), documentOf(['a', 'b']), documentOf(['a', 'b', 'c'])];
  sessions = [{}];
  clock = new FakeClock();
  clockOfOne = new FakeClock();
  document.mockImplementation(async (_tenant: string, _server: string, revision: number) => documents[revision - 1]);
  const revisions = new InMemoryAnnouncedRevisions(clock);
  const endpoint = { tellSessions, endAll, listSessions: async () => ({ items: sessions, next: undefined }) } as never;
  one = new SessionAnnouncer({ nodeId: 'one', endpoint, revisions, document, clock: clockOfOne });
  two = new SessionAnnouncer({ nodeId: 'two', endpoint, revisions, document, clock });
});

describe('SessionAnnouncer', () => {
  it('tells the sessions of a revision once, though every node learns of it', async () => {
    const [first, second] = await Promise.all([one.announce(at(2)), two.announce(at(2))]);
    expect([first, second]).toEqual([undefined, 5_000]);
    expect(await two.announce(at(2))).toBeUndefined();
    expect(tellSessions.mock.calls).toEqual([['t1/s1', { kind: 'list', list: 'tools' }, expect.anything()]]);
    expect(clock.pending + clockOfOne.pending).toBe(0);
  });

  it('compares with what was announced last', async () => {
    await one.announce(at(2));
    documents.push(documentOf(['a', 'b']));
    // The third was never announced: to whoever heard of the second, the fourth is the same.
    await two.announce(at(4));
    expect(tellSessions).toHaveBeenCalledTimes(1);
  });

  it('compares with what its node has served, when nobody knows what was announced last', async () => {
    documents.push(documentOf(['a', 'b', 'c']));
    // The third came so soon before the fourth that no node has seen it by itself.
    await one.announce(at(4), 2);
    expect(tellSessions).toHaveBeenCalledTimes(1);
    await one.announce({ ...at(4), serverId: 's2' }, 4);
    expect(tellSessions).toHaveBeenCalledTimes(1);
  });

  it('has another node tell them when the first has died over it', async () => {
    tellSessions.mockImplementationOnce(() => new Promise(() => {}));
    void one.announce(at(2));
    expect(await two.announce(at(2))).toBe(5_000);
    // Whoever still works on it keeps its claim.
    for (let i = 0; i < 10; i += 1) {
      clock.advance(1_000);
      clockOfOne.advance(1_000);
    }
    expect(await two.announce(at(2))).toBeGreaterThan(3_000);
    clock.advance(5_000);
    expect(await two.announce(at(2))).toBeUndefined();
    expect(tellSessions).toHaveBeenCalledTimes(2);
  });

  it('reads no document where no session lives, and does not tell of it later', async () => {
    sessions = [];
    await one.announce(at(2));
    expect(document).not.toHaveBeenCalled();
    sessions = [{}];
    await two.announce(at(2));
    expect(tellSessions).not.toHaveBeenCalled();
    await two.announce(at(3));
    expect(tellSessions).toHaveBeenCalledTimes(1);
  });

  it('fails, to be tried again, when sessions could not be told', async () => {
    tellSessions.mockResolvedValueOnce(3);
    await expect(one.announce(at(2))).rejects.toThrow('3 sessions');
    expect(clock.pending + clockOfOne.pending).toBe(0);
    expect(await one.announce(at(2))).toBeUndefined();
    expect(tellSessions).toHaveBeenCalledTimes(2);
  });

  it('ends the sessions of whoever came without a key when a server is public no more', async () => {
    documents = [documentOf(['a'], 'public'), documentOf(['a'])];
    await one.announce(at(2));
    expect(endAll.mock.calls).toEqual([[{ server: 't1/s1', owner: 'anonymous:anonymous' }, 't1/s1']]);
    expect(tellSessions).not.toHaveBeenCalled();
  });

  it('ends them as well where the server may have been public when nobody looked', async () => {
    documents = [documentOf(['a'], 'public'), documentOf(['a']), documentOf(['a', 'b']), documentOf(['a', 'b'])];
    await one.announce(at(3));
    expect(endAll.mock.calls).toEqual([[{ server: 't1/s1', owner: 'anonymous:anonymous' }, 't1/s1']]);
    await one.announce(at(4));
    expect(endAll).toHaveBeenCalledTimes(1);
  });
});
