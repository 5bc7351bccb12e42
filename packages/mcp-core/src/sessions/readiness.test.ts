import { describe, expect, it } from 'vitest';
import { InMemoryEventLog } from '../memory/event-log.js';
import { InMemoryNodeBus } from '../memory/node-bus.js';
import { InMemorySessionStore } from '../memory/session-store.js';
import { InMemorySessionTurns } from '../memory/session-turns.js';
import { randomIds } from '../ports/id-generator.js';
import { silentLogger } from '../ports/logger.js';
import { FakeClock } from '../testing/fake-clock.js';
import { fixtureSettings } from '../testing/fixture-server.js';
import { turnOver } from '../testing/turn.js';
import type { LiveSession } from './live-session.js';
import { Readiness } from './readiness.js';
import { Sessions } from './sessions.js';

const never = new AbortController().signal;

describe('Readiness', () => {
  it('wakes who waits, and lets everybody through after that', async () => {
    const clock = new FakeClock();
    const readiness = new Readiness(clock);
    const waits = [readiness.wait(never, 1_000), readiness.wait(never, 2_000)];
    readiness.set();
    expect(await Promise.all(waits)).toEqual([true, true]);
    expect(await readiness.wait(never, 0)).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it('ends each wait at its limit or with its signal', async () => {
    const clock = new FakeClock();
    const readiness = new Readiness(clock);
    const controller = new AbortController();
    const waits = [readiness.wait(never, 1_000), readiness.wait(controller.signal, 9_000)];
    clock.advance(1_000);
    controller.abort();
    expect(await Promise.all(waits)).toEqual([false, false]);
    expect(await readiness.wait(controller.signal, 9_000)).toBe(false);
    expect(clock.pending).toBe(0);
  });
});

describe('a session whose client is not ready yet (wire B21)', () => {
  /** One session as two nodes see it. */
  async function setUp() {
    const clock = new FakeClock();
    const sessionStore = new InMemorySessionStore(clock);
    const shared = {
      clock,
      ids: randomIds,
      logger: silentLogger,
      sessionStore,
      sessionTurns: new InMemorySessionTurns(sessionStore, clock),
      eventLog: new InMemoryEventLog(clock),
      nodeBus: new InMemoryNodeBus(),
    };
    const [a, b] = ['a', 'b'].map((nodeId) => new Sessions({ ...shared, nodeId })) as [Sessions, Sessions];
    const client = { revision: '2025-11-25', capabilities: {} };
    const here = await a.open({ server: 's', owner: 'o' }, fixtureSettings, client);
    if ('max' in here) throw new Error('no session');
    const there = async () => (await b.find(here.key, fixtureSettings)) as LiveSession;
    return { clock, here, there, sessionStore };
  }

  it('is waited for, and remembered in the store', async () => {
    const { here, there, sessionStore } = await setUp();
    const waiting = here.whenInitialized(never, 5_000);
    here.initialized();
    expect(await waiting).toBe(true);
    expect(sessionStore.get(here.key)?.initialized).toBe(true);
    expect(await (await there()).whenInitialized(never, 0)).toBe(true);
  });

  it('is heard of from another node', async () => {
    const { here, there } = await setUp();
    const waiting = here.whenInitialized(never, 5_000);
    (await there()).initialized();
    expect(await waiting).toBe(true);
  });

  it('is found in the store when the word of the other node got lost', async () => {
    const { clock, here, sessionStore } = await setUp();
    const waiting = here.whenInitialized(never, 60_000);
    await turnOver();
    sessionStore.markInitialized(here.key);
    clock.advance(10_000);
    expect(await waiting).toBe(true);
  });

  it('is given up at the limit, or with the signal', async () => {
    const { clock, here } = await setUp();
    const limited = here.whenInitialized(never, 700);
    await turnOver();
    clock.advance(500);
    await turnOver();
    clock.advance(200);
    expect(await limited).toBe(false);
    const controller = new AbortController();
    const aborted = here.whenInitialized(controller.signal, 5_000);
    controller.abort();
    expect(await aborted).toBe(false);
  });
});
