import { describe, expect, it } from 'vitest';
import { testConfig } from '../../../test/harness/api.js';
import { useDatabase } from '../../../test/harness/database.js';
import { LeaseTakenError, NodeLease } from './node-lease.js';
import { NodeLeaseRepository } from './node-lease.repository.js';

const db = useDatabase();
const log = { debug() {}, info() {}, warn() {}, error() {} };

/** Timers fire when the test says so. */
class HandClock {
  private readonly due = new Set<() => void>();
  now = () => Date.now();
  setTimer(_ms: number, fn: () => void) {
    this.due.add(fn);
    return { cancel: () => void this.due.delete(fn) };
  }
  fire(): void {
    const due = [...this.due];
    this.due.clear();
    for (const fn of due) fn();
  }
}

function node(clock = new HandClock(), embedded = false): NodeLease {
  return new NodeLease(new NodeLeaseRepository(db.database), testConfig(db.url, { embedded }), clock, log);
}

async function beatOfRow(): Promise<string> {
  return (await db.superuser.query('SELECT holder, heartbeat_at::text AS beat FROM node_leases')).rows[0]?.beat;
}

describe('NodeLease', () => {
  it('stops a second node while the first one lives, naming it, and lets it in afterwards', async () => {
    const clock = new HandClock();
    const first = node(clock);
    await first.acquire(() => undefined);
    const waiting = new HandClock();
    const second = node(waiting).acquire(() => undefined);
    const refused = expect(second).rejects.toThrow(LeaseTakenError);
    const ticking = setInterval(() => {
      clock.fire();
      waiting.fire();
    }, 20);
    await refused;
    await expect(second).rejects.toThrow(`pid ${process.pid} on`);
    clearInterval(ticking);
    await first.onApplicationShutdown();
    const third = node();
    await third.acquire(() => undefined);
    await third.onApplicationShutdown();
    expect(await beatOfRow()).toBeUndefined();
  });

  it('takes over from a node that was killed, and tells that node should it wake', async () => {
    const clock = new HandClock();
    const killed = node(clock);
    let lost = 0;
    await killed.acquire(() => (lost += 1));
    await db.superuser.query(`UPDATE node_leases SET heartbeat_at = now() - interval '10 seconds'`);
    const next = node();
    await next.acquire(() => undefined);
    clock.fire();
    await expect.poll(() => lost).toBe(1);
    await killed.onApplicationShutdown();
    expect(await beatOfRow()).toBeDefined();
    await next.onApplicationShutdown();
  });

  it('waits for no dead node where this process tree owns its Postgres', async () => {
    await node().acquire(() => undefined);
    const next = node(new HandClock(), true);
    await next.acquire(() => undefined);
    await next.onApplicationShutdown();
  });
});
