import { randomUUID } from 'node:crypto';
import type { Clock } from '@gantry/mcp-core';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useDatabase } from '../../../test/harness/database.js';
import type { Scope } from '../prisma/database.js';
import { ChangeLogFollower, type ChangeLogRow } from './change-log-follower.js';
import { ChangeLogWriter } from './change-log-writer.js';

/** Time that stands still until a test moves it; one timer at a time is all that a follower sets. */
class HandClock implements Clock {
  time = 1_000_000;
  timer: { at: number; fn: () => void } | undefined;

  now(): number {
    return this.time;
  }

  setTimer(ms: number, fn: () => void) {
    const timer = { at: this.time + ms, fn };
    this.timer = timer;
    return {
      cancel: () => {
        if (this.timer === timer) this.timer = undefined;
      },
    };
  }

  /** Moves time; a timer that is due runs. */
  advance(ms: number): void {
    this.time += ms;
    const { timer } = this;
    if (!timer || timer.at > this.time) return;
    this.timer = undefined;
    timer.fn();
  }
}

const db = useDatabase();
const writer = new ChangeLogWriter();
let clock: HandClock;
let follower: ChangeLogFollower;
let seen: string[];
let warnings: string[];
let broken: boolean;
const open: pg.PoolClient[] = [];

const append = (subject: string, tenantId?: string) =>
  db.database
    .forPlatform()
    .transaction((tx) => writer.append(tx, { kind: 'server', subject, ...(tenantId ? { tenantId } : {}) }));

/** Appends in a transaction of its own that stays open; the caller commits or rolls back. */
async function appendOpen(subject: string): Promise<pg.PoolClient> {
  const client = await db.superuser.connect();
  open.push(client);
  await client.query('BEGIN');
  await client.query(`INSERT INTO change_log (kind, subject) VALUES ('server', $1)`, [subject]);
  return client;
}

beforeEach(async () => {
  await db.superuser.query('DELETE FROM change_log');
  clock = new HandClock();
  seen = [];
  warnings = [];
  broken = false;
  const database = {
    forPlatform: (): Scope => ({
      transaction: (work) => (broken ? Promise.reject(new Error('away')) : db.database.forPlatform().transaction(work)),
    }),
  };
  const note = (_: object, message: string) => void warnings.push(message);
  follower = new ChangeLogFollower({ database, clock, logger: { info: note, warn: note, error: note } });
  follower.on('server', (row) => seen.push(row.subject));
});

afterEach(async () => {
  await follower.stop();
  for (const client of open.splice(0)) {
    await client.query('ROLLBACK');
    client.release();
  }
});

describe('ChangeLogFollower', () => {
  it('tells each row written after its start once, in order, to listeners of its kind', async () => {
    await append('before');
    await follower.start();
    const others: ChangeLogRow[] = [];
    follower.on('key', (row) => others.push(row));
    await append('one');
    await append('two');
    await follower.poll();
    await follower.poll();
    expect(seen).toEqual(['one', 'two']);
    expect(others).toEqual([]);
  });

  it('gives tenant, kind and subject', async () => {
    const tenantId = randomUUID();
    await follower.start();
    const rows: ChangeLogRow[] = [];
    follower.on('server', (row) => rows.push(row));
    await append('s', tenantId);
    await follower.poll();
    expect(rows).toMatchObject([{ tenantId, kind: 'server', subject: 's' }]);
  });

  it('tells a row whose transaction commits after a later one', async () => {
    await follower.start();
    const late = await appendOpen('late');
    await append('early');
    await follower.poll();
    expect(seen).toEqual(['early']);
    await late.query('COMMIT');
    await follower.poll();
    await follower.poll();
    expect(seen).toEqual(['early', 'late']);
  });

  it('tells a row that was written before its start and committed after', async () => {
    const first = await appendOpen('first');
    await append('between');
    const last = await appendOpen('last');
    await follower.start();
    await first.query('COMMIT');
    await last.query('COMMIT');
    await follower.poll();
    expect(seen).toEqual(['first', 'last']);
  });

  it('goes on past transactions that were rolled back', async () => {
    await follower.start();
    const gone = await appendOpen('gone');
    await gone.query('ROLLBACK');
    await append('next');
    await follower.poll();
    expect(seen).toEqual(['next']);
  });

  it('reads more rows than one page in one poll', async () => {
    await follower.start();
    await db.superuser.query(
      `INSERT INTO change_log (kind, subject) SELECT 'server', n::text FROM generate_series(1, 1234) n`,
    );
    await follower.poll();
    expect(seen).toEqual(Array.from({ length: 1234 }, (_, i) => String(i + 1)));
  });

  it('reads every 500 ms', async () => {
    await follower.start();
    await append('one');
    const told = new Promise((resolve) => follower.on('server', resolve));
    clock.advance(499);
    expect(seen).toEqual([]);
    clock.advance(1);
    await told;
    await follower.poll();
    expect(clock.timer?.at).toBe(clock.time + 500);
  });

  it('reads at once when it is asked to, and again when it is asked meanwhile', async () => {
    await follower.start();
    await append('one');
    void follower.poll();
    await append('two');
    await follower.poll();
    expect(seen).toEqual(['one', 'two']);
  });

  it('says when its last good read began, keeps trying, and makes good what it missed', async () => {
    await follower.start();
    const good = follower.lastGoodReadAt;
    expect(good).toBe(clock.time);
    broken = true;
    await append('missed');
    clock.time += 700;
    await follower.poll();
    await follower.poll();
    expect(follower.lastGoodReadAt).toBe(good);
    expect(warnings).toEqual(['the change log could not be read']);
    broken = false;
    await follower.poll();
    expect(seen).toEqual(['missed']);
    expect(follower.lastGoodReadAt).toBe(clock.time);
  });

  it('tells when rows may have been missed', async () => {
    await follower.start();
    let lost = 0;
    follower.onLost(() => lost++);
    clock.time += 59_999;
    await follower.poll();
    expect(lost).toBe(0);
    clock.time += 60_000;
    await follower.poll();
    expect(lost).toBe(1);
  });

  it('tells it once the log can be read again, and not while caches could not be filled', async () => {
    await follower.start();
    let lost = 0;
    follower.onLost(() => lost++);
    broken = true;
    clock.time += 60_000;
    await follower.poll();
    await follower.poll();
    expect(lost).toBe(0);
    broken = false;
    await follower.poll();
    await follower.poll();
    expect(lost).toBe(1);
  });

  it('hurts no listener by another that throws', async () => {
    await follower.start();
    const after: string[] = [];
    follower.on('server', () => {
      throw new Error('boom');
    });
    follower.on('server', (row) => after.push(row.subject));
    await append('one');
    await follower.poll();
    expect(after).toEqual(['one']);
    expect(warnings).toEqual(['a listener of the change log threw']);
  });

  it('deletes old rows', async () => {
    await follower.start();
    await append('new');
    await db.superuser.query(
      `INSERT INTO change_log (kind, subject, at) VALUES ('server', 'old', now() - interval '61 minutes')`,
    );
    await follower.poll();
    const { rows } = await db.superuser.query('SELECT subject FROM change_log');
    expect(rows).toEqual([{ subject: 'new' }]);
  });

  it('does not start while the database is away', async () => {
    broken = true;
    await expect(follower.start()).rejects.toThrow('away');
  });

  it('is quiet once stopped', async () => {
    await follower.start();
    await follower.stop();
    await append('one');
    await follower.poll();
    expect(seen).toEqual([]);
    expect(clock.timer).toBeUndefined();
  });

  it('lets a tenant announce its own changes', async () => {
    const tenantId = randomUUID();
    await follower.start();
    await db.database
      .forTenant(tenantId)
      .transaction((tx) => writer.append(tx, { tenantId, kind: 'server', subject: 's' }));
    await expect(
      db.database.forTenant(tenantId).transaction((tx) => writer.append(tx, { kind: 'server', subject: 's' })),
    ).rejects.toThrow(/row-level security/);
    await follower.poll();
    expect(seen).toEqual(['s']);
  });

  it('rings the other nodes, which read at once and not at their next poll', async () => {
    const heard: string[] = [];
    let bell = (_body: string, _from: string) => {};
    const channel = {
      broadcast: (topic: string) => void heard.push(topic),
      on: (_topic: string, listener: typeof bell) => {
        bell = listener;
        return () => {
          bell = () => {};
        };
      },
    };
    const logger = { info() {}, warn() {}, error() {} };
    const { database } = db;
    const other = new ChangeLogFollower({ database, clock: new HandClock(), logger, channel });
    const told = new Promise<string>((resolve) => other.on('server', ({ subject }) => resolve(subject)));
    await other.start();
    const here = new ChangeLogFollower({ database, clock: new HandClock(), logger, channel });
    await append('rung');
    await here.ring();
    expect(heard).toEqual(['changes']);
    bell('', 'another');
    expect(await told).toBe('rung');
    await other.stop();
  });
});
