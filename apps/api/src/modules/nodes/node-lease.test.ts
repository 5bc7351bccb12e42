import { describe, expect, it } from 'vitest';
import { testConfig } from '../../../test/harness/api.js';
import { useDatabase } from '../../../test/harness/database.js';
import { LeaseTakenError } from './living-holder.js';
import { NodeLease } from './node-lease.js';
import { NodeLeaseRepository } from './node-lease.repository.js';
import { SharedClaim } from './shared-claim.js';

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

describe('a node without Redis, and nodes with one', () => {
  const shared = (clock = new HandClock()) =>
    new SharedClaim(
      new NodeLeaseRepository(db.database),
      testConfig(db.url, { redisUrls: ['redis://127.0.0.1:1'] }),
      clock,
      log,
    );
  const ticking = async <T>(clocks: readonly HandClock[], work: () => Promise<T>): Promise<T> => {
    const timer = setInterval(() => {
      for (const clock of clocks) clock.fire();
    }, 20);
    return work().finally(() => clearInterval(timer));
  };
  const age = (name: string) =>
    db.superuser.query(`UPDATE node_leases SET heartbeat_at = now() - interval '10 seconds' WHERE name = $1`, [name]);

  it('do not run on one database: the lone one is refused while they live, and starts when they are gone', async () => {
    const [clock, waiting] = [new HandClock(), new HandClock()];
    const [first, second] = [shared(clock), shared()];
    await first.acquire();
    await second.acquire();
    const refused = node(waiting);
    const fault = await ticking([clock, waiting], () => refused.acquire(() => undefined).catch((error) => error));
    await refused.onApplicationShutdown();
    expect(fault).toBeInstanceOf(LeaseTakenError);
    expect(fault.message).toMatch(
      /^REDIS_URL: nodes with REDIS_URL run on this database \(pid .*set REDIS_URL, or stop/,
    );
    for (const one of [first, second]) await one.onApplicationShutdown();
    await age('redis-nodes');
    const lone = node();
    await lone.acquire(() => undefined);
    await lone.onApplicationShutdown();
  });

  it('do not start beside a lone one either, unless it was killed, and leave no mark then', async () => {
    const [clock, waiting] = [new HandClock(), new HandClock()];
    const lone = node(clock);
    await lone.acquire(() => undefined);
    const fault = await ticking([clock, waiting], () =>
      shared(waiting)
        .acquire()
        .catch((error) => error),
    );
    expect(fault).toBeInstanceOf(LeaseTakenError);
    expect(fault.message).toMatch(/^REDIS_URL: a node without REDIS_URL runs on this database \(pid .*stop it first$/);
    expect((await db.superuser.query('SELECT name FROM node_leases')).rows).toEqual([{ name: 'single-node' }]);
    await age('single-node');
    const next = shared();
    await next.acquire();
    await next.onApplicationShutdown();
    await lone.onApplicationShutdown();
  });
});
