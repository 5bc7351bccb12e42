import type pg from 'pg';

/** Whose rows a transaction may see: one tenant's, or all. */
export type PoolScope = { readonly tenantId: string } | 'platform';

/**
 * A transaction on a plain connection, bound to a scope as `Database` binds those of Prisma. For statements that are too
 * frequent, or too much of SQL, for Prisma.
 */
export async function scoped<T>(
  pool: pg.Pool,
  scope: PoolScope,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    if (scope === 'platform') await client.query("BEGIN; SET LOCAL gantry.scope = 'platform'");
    else {
      await client.query('BEGIN');
      await client.query({
        name: 'scope-tenant',
        text: "SELECT set_config('gantry.tenant', $1, true)",
        values: [scope.tenantId],
      });
    }
    const result = await work(client);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    client.release(error instanceof Error && !('code' in error) ? error : undefined);
    throw error;
  }
}
