import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../../test/harness/database.js';
import { createPool } from './pool.js';

const TENANT_TABLES = [
  'tenants',
  'memberships',
  'api_keys',
  'api_key_hashes',
  'secrets',
  'servers',
  'server_revisions',
  'audit_entries',
  'change_log',
  'calls',
  'jobs',
  'job_results',
  'job_attempts',
  'job_turns',
];
const PLATFORM_TABLES = ['users', 'user_sessions', 'node_leases', 'job_workers'];

const db = useDatabase();
const a = { id: randomUUID(), user: randomUUID(), key: randomUUID(), server: randomUUID() };
const b = { id: randomUUID(), user: randomUUID(), key: randomUUID(), server: randomUUID() };

/** One row in every table for a tenant, written by the superuser. */
async function fill(t: typeof a, slug: string): Promise<void> {
  const run = (sql: string, values: unknown[]) => db.superuser.query(sql, values);
  await run('INSERT INTO tenants (id, slug, name, updated_at) VALUES ($1, $2, $2, now())', [t.id, slug]);
  await run('INSERT INTO users (id, email, name, password_hash) VALUES ($1, $2, $2, $3)', [t.user, slug, 'hash']);
  await run('INSERT INTO user_sessions (id, user_id, token_hash, expires_at) VALUES ($1, $2, $3, now())', [
    randomUUID(),
    t.user,
    Buffer.from(slug),
  ]);
  await run(`INSERT INTO memberships (tenant_id, user_id, role) VALUES ($1, $2, 'owner')`, [t.id, t.user]);
  await run(`INSERT INTO api_keys (id, tenant_id, name, prefix, created_by) VALUES ($1, $2, 'k', 'p', 'me')`, [
    t.key,
    t.id,
  ]);
  await run('INSERT INTO api_key_hashes (hash, key_id, tenant_id) VALUES ($1, $2, $3)', [
    Buffer.from(slug),
    t.key,
    t.id,
  ]);
  await run(`INSERT INTO secrets (id, tenant_id, name, sealed, key_id) VALUES ($1, $2, 'S', $3, 'k')`, [
    randomUUID(),
    t.id,
    Buffer.from('x'),
  ]);
  await run(`INSERT INTO servers (id, tenant_id, slug, document) VALUES ($1, $2, 's', '{}')`, [t.server, t.id]);
  await run(
    `INSERT INTO server_revisions (server_id, number, tenant_id, document, tool_count, published_by)
     VALUES ($1, 1, $2, '{}', 0, 'me')`,
    [t.server, t.id],
  );
  await run(`INSERT INTO audit_entries (tenant_id, actor, action, object) VALUES ($1, 'me', 'made', 'it')`, [t.id]);
  await run(`INSERT INTO change_log (tenant_id, kind, subject) VALUES ($1, 'server', 's')`, [t.id]);
  await run(
    `INSERT INTO calls (id, tenant_id, at, server, method, status, duration_ms, era, principal, node, source)
     VALUES ($1, $2, now(), 's', 'tools/call', 'ok', 1, 'session', 'k', 'n', 'mcp')`,
    [randomUUID(), t.id],
  );
  await run(
    `INSERT INTO jobs (id, tenant_id, server_id, server, revision, tool, owner, principal, face, arguments, caller,
       repeatable, timeout_ms) VALUES ($1, $2, $3, 's', 1, 't', 'k', 'k', 'call', '{}', '{}', false, 1)`,
    [`job-${slug}`, t.id, t.server],
  );
  await run(`INSERT INTO job_results (job_id, tenant_id, result) VALUES ($1, $2, '{}')`, [`job-${slug}`, t.id]);
  await run(`INSERT INTO job_attempts (job_id, number, tenant_id, node, started_at) VALUES ($1, 1, $2, 'n', now())`, [
    `job-${slug}`,
    t.id,
  ]);
  await run('INSERT INTO job_turns (tenant_id, pass) VALUES ($1, 1)', [t.id]);
  await run('INSERT INTO job_workers (node, slots, beat_at) VALUES ($1, 1, now())', [slug]);
  await run(`INSERT INTO node_leases (name, holder, detail, heartbeat_at) VALUES ($1, 'h', 'd', now())`, [slug]);
}

/** Runs statements as the application in a transaction that is rolled back; gives the last one's result. */
async function asApp(scope: Record<string, string>, sql: string, values: unknown[] = []) {
  const client = await db.pool.connect();
  try {
    await client.query('BEGIN');
    for (const [name, value] of Object.entries(scope)) {
      await client.query('SELECT set_config($1, $2, true)', [name, value]);
    }
    return await client.query(sql, values);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

const inTenant = (t: typeof a) => ({ 'gantry.tenant': t.id });
const inPlatform = { 'gantry.scope': 'platform' };

beforeAll(async () => {
  await fill(a, 'aa');
  await fill(b, 'bb');
});

describe('row-level security', () => {
  it('is enabled and forced on every table of the schema', async () => {
    const { rows } = await db.superuser.query(
      `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
       AND relname <> '_prisma_migrations' AND relrowsecurity AND relforcerowsecurity ORDER BY relname`,
    );
    const { rows: all } = await db.superuser.query(
      `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
       AND relname <> '_prisma_migrations' ORDER BY relname`,
    );
    expect(rows).toEqual(all);
    expect(rows.map((row) => row.relname).sort()).toEqual([...TENANT_TABLES, ...PLATFORM_TABLES].sort());
  });

  it('gives the application no ownership and no way round', async () => {
    const { rows } = await db.superuser.query(
      `SELECT r.rolsuper, r.rolbypassrls, r.rolcanlogin,
        (SELECT count(*)::int FROM pg_class c WHERE c.relowner = r.oid) AS owned
       FROM pg_roles r WHERE r.rolname = 'gantry_app'`,
    );
    expect(rows).toEqual([{ rolsuper: false, rolbypassrls: false, rolcanlogin: false, owned: 0 }]);
  });

  it('binds the connections of a superuser', async () => {
    const { rows } = await db.pool.query('SELECT session_user, current_user');
    const { rows: who } = await db.superuser.query('SELECT rolsuper FROM pg_roles WHERE rolname = session_user');
    expect(who).toEqual([{ rolsuper: true }]);
    expect(rows[0].current_user).toBe('gantry_app');
  });

  it.each([...TENANT_TABLES, ...PLATFORM_TABLES])('shows nothing of %s outside both doors', async (table) => {
    expect((await db.pool.query(`SELECT * FROM ${table}`)).rows).toEqual([]);
  });

  it.each(TENANT_TABLES)('shows a tenant its own rows of %s and no others', async (table) => {
    const column = table === 'tenants' ? 'id' : 'tenant_id';
    const { rows } = await asApp(inTenant(a), `SELECT ${column} AS owner FROM ${table}`);
    expect(rows).toEqual([{ owner: a.id }]);
    const own = await asApp(inTenant(a), `SELECT 1 FROM ${table} WHERE ${column} = $1`, [b.id]);
    expect(own.rows).toEqual([]);
  });

  it.each([...TENANT_TABLES, ...PLATFORM_TABLES])('shows the platform every row of %s', async (table) => {
    expect((await asApp(inPlatform, `SELECT * FROM ${table}`)).rows).toHaveLength(2);
  });

  it.each([
    'tenants',
    'memberships',
    'api_keys',
    'api_key_hashes',
    'secrets',
    'servers',
    'jobs',
    'job_results',
    'job_attempts',
    'job_turns',
  ])("neither changes nor deletes another tenant's rows of %s", async (table) => {
    const column = table === 'tenants' ? 'id' : 'tenant_id';
    const update = `UPDATE ${table} SET ${column} = ${column} WHERE ${column} = $1`;
    expect((await asApp(inTenant(a), update, [b.id])).rowCount).toBe(0);
    expect((await asApp(inTenant(a), update, [a.id])).rowCount).toBe(1);
    expect((await asApp(inTenant(a), `DELETE FROM ${table} WHERE ${column} = $1`, [b.id])).rowCount).toBe(0);
  });

  it.each(['memberships', 'api_keys', 'secrets', 'servers', 'jobs', 'job_results'])(
    'moves no row of %s to another tenant',
    async (table) => {
      await expect(asApp(inTenant(a), `UPDATE ${table} SET tenant_id = $1`, [b.id])).rejects.toThrow(
        /row-level security/,
      );
    },
  );

  it('takes no row for another tenant', async () => {
    const insert = `INSERT INTO servers (id, tenant_id, slug, document) VALUES ($1, $2, 'new', '{}')`;
    await expect(asApp(inTenant(a), insert, [randomUUID(), b.id])).rejects.toThrow(/row-level security/);
    expect((await asApp(inTenant(a), insert, [randomUUID(), a.id])).rowCount).toBe(1);
    const audit = `INSERT INTO audit_entries (tenant_id, actor, action, object) VALUES ($1, 'me', 'x', 'y') RETURNING id`;
    await expect(asApp(inTenant(a), audit, [b.id])).rejects.toThrow(/row-level security/);
    expect((await asApp(inTenant(a), audit, [a.id])).rowCount).toBe(1);
  });

  it("hangs no row on another tenant's parent, although foreign keys look past it", async () => {
    const revision = `INSERT INTO server_revisions (server_id, number, tenant_id, document, tool_count, published_by)
      VALUES ($1, 2, $2, '{}', 0, 'me')`;
    for (const scope of [inTenant(a), inPlatform]) {
      await expect(asApp(scope, revision, [b.server, a.id])).rejects.toThrow(/row-level security/);
      expect((await asApp(scope, revision, [a.server, a.id])).rowCount).toBe(1);
    }
    const attempt = `INSERT INTO job_attempts (job_id, number, tenant_id, node, started_at) VALUES ($1, 2, $2, 'n', now())`;
    await expect(asApp(inTenant(a), attempt, ['job-bb', a.id])).rejects.toThrow(/row-level security/);
    expect((await asApp(inTenant(a), attempt, ['job-aa', a.id])).rowCount).toBe(1);
    const hash = 'INSERT INTO api_key_hashes (hash, key_id, tenant_id) VALUES ($1, $2, $3)';
    await expect(asApp(inTenant(a), hash, [Buffer.from('n'), b.key, a.id])).rejects.toThrow(/row-level security/);
    await expect(asApp(inTenant(a), 'UPDATE api_key_hashes SET key_id = $1', [b.key])).rejects.toThrow(/row-level/);
  });

  it('tells a tenant the names of its members only, and lets it change no user', async () => {
    expect((await asApp(inTenant(a), 'SELECT id FROM users')).rows).toEqual([{ id: a.user }]);
    expect((await asApp(inTenant(a), `UPDATE users SET name = 'x'`)).rowCount).toBe(0);
    expect((await asApp(inTenant(a), 'SELECT * FROM user_sessions')).rows).toEqual([]);
    expect((await asApp(inTenant(a), 'SELECT * FROM node_leases')).rows).toEqual([]);
  });

  it('keeps the trail and published revisions as they were written', async () => {
    for (const table of ['audit_entries', 'server_revisions']) {
      await expect(asApp(inPlatform, `DELETE FROM ${table}`)).rejects.toThrow(/permission denied/);
      await expect(asApp(inPlatform, `UPDATE ${table} SET tenant_id = tenant_id`)).rejects.toThrow(/permission denied/);
    }
    await expect(asApp(inPlatform, 'UPDATE change_log SET kind = kind')).rejects.toThrow(/permission denied/);
  });

  it('lets both scopes append to the change log and only the platform prune it', async () => {
    const append = `INSERT INTO change_log (tenant_id, kind, subject) VALUES ($1, 'key', 'x') RETURNING id`;
    expect((await asApp(inTenant(a), append, [a.id])).rowCount).toBe(1);
    expect((await asApp(inPlatform, append, [null])).rowCount).toBe(1);
    await expect(asApp(inTenant(a), append, [b.id])).rejects.toThrow(/row-level security/);
    expect((await asApp(inTenant(a), 'DELETE FROM change_log')).rowCount).toBe(0);
    expect((await asApp(inPlatform, 'DELETE FROM change_log')).rowCount).toBe(2);
  });

  it("deletes a tenant with everything of its own and nothing of others'", async () => {
    const client = await db.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query(`SELECT set_config('gantry.scope', 'platform', true)`);
      await client.query('DELETE FROM tenants WHERE id = $1', [b.id]);
      const { rows } = await client.query('SELECT tenant_id FROM server_revisions');
      expect(rows).toEqual([{ tenant_id: a.id }]);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });
});

describe('Database', () => {
  it('opens one door for one transaction', async () => {
    const seen = await db.database.forTenant(a.id).transaction((tx) => tx.server.findMany());
    expect(seen.map((server) => server.tenantId)).toEqual([a.id]);
    const all = await db.database.forPlatform().transaction((tx) => tx.server.findMany());
    expect(all).toHaveLength(2);
    expect((await db.pool.query('SELECT * FROM servers')).rows).toEqual([]);
  });
});

describe('createPool', () => {
  it('hands out no connection that could not take the role', async () => {
    await db.superuser.query(`CREATE ROLE outsider LOGIN PASSWORD 'pw' NOSUPERUSER`).catch(() => undefined);
    const url = new URL(db.url);
    url.username = 'outsider';
    url.password = 'pw';
    const pool = createPool({ databaseUrl: url.href, logger: { warn() {} } });
    await expect(pool.query('SELECT 1')).rejects.toThrow(/permission denied to set role/);
    expect(pool.totalCount).toBe(0);
    await pool.end();
    await db.superuser.query('DROP ROLE outsider');
  });
});
