import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';

/** Why the schema is not what this version was written for: one line, without credentials. */
export class MigrationError extends Error {}

/** Anything that runs SQL: a pool or a client. */
export type Queryable = Pick<pg.ClientBase, 'query'>;

export interface Migration {
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the file in hex, as Prisma keeps it. */
  readonly checksum: string;
}

export interface AppliedMigration {
  readonly migration_name: string;
  readonly checksum: string;
  readonly finished_at: Date | null;
}

/** `prisma/migrations` of this repository; this file lies equally deep in `src` and in `dist`. */
export const MIGRATIONS_DIR = fileURLToPath(new URL('../../../../../prisma/migrations', import.meta.url));

/** Every migration of a folder, oldest first. */
export async function readMigrations(dir = MIGRATIONS_DIR): Promise<Migration[]> {
  const entries = await readdir(dir, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(`${dir}/${name}/migration.sql`, 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/**
 * What is still to apply.
 * @throws MigrationError when the history has a failed, an edited or an unknown migration, or one out of order.
 */
export function pendingMigrations(known: readonly Migration[], applied: readonly AppliedMigration[]): Migration[] {
  const byName = new Map(known.map((migration) => [migration.name, migration]));
  for (const row of applied) {
    const migration = byName.get(row.migration_name);
    if (row.finished_at === null) {
      throw new MigrationError(
        `migration ${row.migration_name} failed half way: repair the database and delete its row from _prisma_migrations`,
      );
    }
    if (!migration) {
      throw new MigrationError(
        `the database has migration ${row.migration_name}, which this version does not know: use the newer version that applied it`,
      );
    }
    if (migration.checksum !== row.checksum) {
      throw new MigrationError(
        `migration ${row.migration_name} was edited after it had been applied: restore its file`,
      );
    }
  }
  const done = new Set(applied.map((row) => row.migration_name));
  const pending = known.filter((migration) => !done.has(migration.name));
  const last = applied.at(-1)?.migration_name;
  if (pending[0] && last && pending[0].name < last) {
    throw new MigrationError(`migration ${pending[0].name} is older than ${last}, which is applied: rename it`);
  }
  return pending;
}

/** The history of a database, oldest first; empty before the first migration. Rolled-back rows do not count. */
export async function readApplied(db: Queryable): Promise<AppliedMigration[]> {
  const { rows: found } = await db.query(`SELECT to_regclass('_prisma_migrations') IS NOT NULL AS yes`);
  if (!found[0].yes) return [];
  const { rows } = await db.query(
    `SELECT migration_name, checksum, finished_at FROM _prisma_migrations
     WHERE rolled_back_at IS NULL ORDER BY migration_name`,
  );
  return rows;
}

/** Why this version must not serve on the database's schema, in one line; undefined when it may. */
export async function schemaFault(db: Queryable, dir = MIGRATIONS_DIR): Promise<string | undefined> {
  try {
    const [next] = pendingMigrations(await readMigrations(dir), await readApplied(db));
    return next && `the database lacks migration ${next.name}: run "npm run migrate"`;
  } catch (error) {
    if (error instanceof MigrationError) return error.message;
    throw error;
  }
}

/** True when the database has exactly the migrations of this version. */
export async function isSchemaCurrent(db: Queryable, dir = MIGRATIONS_DIR): Promise<boolean> {
  return (await schemaFault(db, dir)) === undefined;
}
