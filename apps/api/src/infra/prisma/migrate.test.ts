import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase, databaseUrl, dropDatabase } from '../../../test/harness/database.js';
import { isSchemaCurrent, MigrationError, migrate, schemaFault } from './migrate.js';
import { MIGRATIONS_DIR } from './migrations.js';
import { createPool } from './pool.js';

let dir: string;
let name: string;
let db: pg.Client;

/** A folder of migrations; each runs its SQL. */
async function write(migrations: Record<string, string>): Promise<void> {
  for (const [migration, sql] of Object.entries(migrations)) {
    await mkdir(join(dir, migration), { recursive: true });
    await writeFile(join(dir, migration, 'migration.sql'), sql);
  }
}

const run = () => migrate({ databaseUrl: databaseUrl(name), dir });

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'gantry-migrations-'));
  name = await createDatabase({ migrated: false });
  db = new pg.Client({ connectionString: databaseUrl(name) });
  await db.connect();
});

afterEach(async () => {
  await db.end();
  await dropDatabase(name);
  await rm(dir, { recursive: true, force: true });
});

describe('migrate', () => {
  it("applies each migration once, in order, and keeps Prisma's history", async () => {
    await write({ '1_first': 'CREATE TABLE one (id int)', '2_second': 'ALTER TABLE one ADD COLUMN two int' });
    expect(await run()).toEqual(['1_first', '2_second']);
    expect(await run()).toEqual([]);
    const { rows } = await db.query(
      'SELECT migration_name, checksum, finished_at IS NOT NULL AS done, applied_steps_count FROM _prisma_migrations ORDER BY 1',
    );
    expect(rows[0]).toEqual({
      migration_name: '1_first',
      checksum: '4d8ec74eca290f99777e37ddd75017c0d05be7b5f06a392e45ec0ffecf0462bd',
      done: true,
      applied_steps_count: 1,
    });
  });

  it('applies this version to an empty database, and says so to the application (DEP-02)', async () => {
    const databaseUrlOfIt = databaseUrl(name);
    const pool = createPool({ databaseUrl: databaseUrlOfIt, logger: { warn() {} } });
    expect(await schemaFault(pool)).toMatch(/^the database lacks migration \d+_init: run "npm run migrate"$/);
    await migrate({ databaseUrl: databaseUrlOfIt });
    expect(await isSchemaCurrent(pool)).toBe(true);
    await db.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'y', '99991231_later', now())`,
    );
    expect(await schemaFault(pool)).toContain('99991231_later, which this version does not know');
    await pool.end();
  });

  it('applies once when several run at a time', async () => {
    await write({
      '1_first': 'CREATE TABLE one (id int); SELECT pg_sleep(0.05)',
      '2_second': 'CREATE TABLE two (id int)',
    });
    const results = await Promise.all(Array.from({ length: 6 }, run));
    expect(results.flat().sort()).toEqual(['1_first', '2_second']);
  });

  it('migrates several databases of one cluster at a time', async () => {
    const others = await Promise.all(Array.from({ length: 3 }, () => createDatabase({ migrated: false })));
    const all = await Promise.all(others.map((other) => migrate({ databaseUrl: databaseUrl(other) })));
    const every = (await readdir(MIGRATIONS_DIR)).filter((name) => /^\d/.test(name)).sort();
    expect(all).toEqual([every, every, every]);
    await Promise.all(others.map(dropDatabase));
  });

  it('keeps nothing of a migration that fails, and applies it once it is repaired', async () => {
    await write({ '1_first': 'CREATE TABLE one (id int); SELECT * FROM nowhere' });
    await expect(run()).rejects.toThrow(
      'migration 1_first failed, nothing of it was kept: relation "nowhere" does not exist',
    );
    expect((await db.query(`SELECT to_regclass('one') AS it`)).rows).toEqual([{ it: null }]);
    await write({ '1_first': 'CREATE TABLE one (id int)' });
    expect(await run()).toEqual(['1_first']);
  });

  it('says what its user lacks where that may make no role', async () => {
    await write({ '1_first': 'CREATE ROLE plain_owner; SET LOCAL ROLE plain_owner; CREATE ROLE another' });
    await expect(run()).rejects.toThrow(
      /1_first failed.*permission denied to create role; .* makes the role gantry_app, which needs a user with CREATEROLE/,
    );
  });

  it.each([
    ['edited', `UPDATE _prisma_migrations SET checksum = 'other'`, /1_first was edited after it had been applied/],
    ['failed half way', 'UPDATE _prisma_migrations SET finished_at = NULL', /1_first failed half way/],
    ['unknown', `UPDATE _prisma_migrations SET migration_name = '3_new'`, /3_new, which this version does not know/],
  ])('refuses a history with a migration that is %s, in one line', async (_, sql, message) => {
    await write({ '1_first': 'CREATE TABLE one (id int)' });
    await run();
    await db.query(sql);
    const error = await run().catch((thrown: Error) => thrown);
    expect(error).toBeInstanceOf(MigrationError);
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).not.toContain('\n');
  });

  it('refuses a migration that slipped in before an applied one', async () => {
    await write({ '2_second': 'CREATE TABLE two (id int)' });
    await run();
    await write({ '1_first': 'CREATE TABLE one (id int)' });
    await expect(run()).rejects.toThrow('migration 1_first is older than 2_second, which is applied: rename it');
  });

  it('ignores a migration that was marked as rolled back', async () => {
    await write({ '1_first': 'CREATE TABLE IF NOT EXISTS one (id int)' });
    await run();
    await db.query('UPDATE _prisma_migrations SET rolled_back_at = now()');
    expect(await run()).toEqual(['1_first']);
  });
});

describe('a database that does not answer', () => {
  it('is waited for, then named without credentials (DEP-04)', async () => {
    const waits: string[] = [];
    const error = await migrate({
      databaseUrl: 'postgresql://someone:s3cret@127.0.0.1:1/there',
      waitMs: 30,
      onWait: (message) => waits.push(message),
    }).catch((thrown: Error) => thrown);
    expect((error as Error).message).toMatch(
      /^DATABASE_URL: no database at 127\.0\.0\.1:1\/there within 0\.03 s: connect ECONNREFUSED/,
    );
    expect(waits).toHaveLength(1);
    expect(`${waits}${error}`).not.toMatch(/s3cret|someone/);
  });

  it('is used as soon as it comes up', async () => {
    await write({ '1_first': 'CREATE TABLE one (id int)' });
    const { hostname, port } = new URL(databaseUrl(name));
    const { connect } = await import('node:net');
    const door = createServer((socket) => {
      const inner = connect(Number(port), hostname);
      socket.pipe(inner).pipe(socket);
      socket.on('error', () => inner.destroy());
      inner.on('error', () => socket.destroy());
    });
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
    const outside = (door.address() as { port: number }).port;
    await new Promise((resolve) => door.close(resolve));
    const url = new URL(databaseUrl(name));
    url.port = String(outside);
    const onWait = () => door.listen(outside, '127.0.0.1');
    expect(await migrate({ databaseUrl: url.href, dir, onWait })).toEqual(['1_first']);
    await new Promise((resolve) => door.close(resolve));
  });

  it('is not waited for when it refuses the password', async () => {
    const url = new URL(databaseUrl(name));
    url.password = 'wrong';
    await expect(migrate({ databaseUrl: url.href })).rejects.toThrow(/refused the connection: password authentication/);
  });
});
