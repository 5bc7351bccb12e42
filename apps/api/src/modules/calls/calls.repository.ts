import type { Call } from '@gantry/contracts';
import type pg from 'pg';
import type { Database } from '../../infra/prisma/database.js';
import type { LoggedCall } from './call-log.js';

/** One parameter whatever the batch's size: the rows as JSON, taken apart by the database. */
const INSERT = {
  name: 'calls-insert',
  text: `INSERT INTO calls (id, tenant_id, at, server, tool, method, status, duration_ms, era, client, principal, node,
                            session_id, job_id, source)
    SELECT id, "tenantId", to_timestamp("finishedAt" / 1000.0), server, tool, method, status, "durationMs", era, client,
           principal, $2, "sessionId", "jobId", source
    FROM json_to_recordset($1::json) AS r (id uuid, "tenantId" uuid, "finishedAt" float8, server text, tool text,
      method text, status text, "durationMs" float8, era text, client text, principal text, "sessionId" text,
      "jobId" text, source text)
    ON CONFLICT (id) DO NOTHING`,
};

export interface CallFilter {
  readonly server?: string;
  readonly tool?: string;
  readonly status?: string;
  readonly session?: string;
}

/** Position in the list: newest first, by time and id. */
export interface CallPosition {
  readonly at: Date;
  readonly id: string;
}

/** The call log's table. Batches are written with one prepared statement, whatever tenants they belong to. */
export class CallsRepository {
  constructor(
    private readonly pool: pg.Pool,
    private readonly database: Database,
    private readonly node: string,
  ) {}

  async insert(calls: readonly LoggedCall[]): Promise<void> {
    const client = await this.pool.connect();
    try {
      await client.query("BEGIN; SET LOCAL gantry.scope = 'platform'");
      const rows = calls.map((call) => ({ ...call, client: storable(call.client) }));
      await client.query({ ...INSERT, values: [JSON.stringify(rows), this.node] });
      await client.query('COMMIT');
      client.release();
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {});
      client.release(error instanceof Error ? error : true);
      throw error;
    }
  }

  /** Newest first, strictly after `after`; at most `limit`. */
  async list(tenantId: string, filter: CallFilter, limit: number, after?: CallPosition): Promise<Call[]> {
    const rows = await this.database.forTenant(tenantId).transaction((tx) =>
      tx.call.findMany({
        where: {
          tenantId,
          server: filter.server,
          tool: filter.tool,
          status: filter.status,
          sessionId: filter.session,
          ...(after && { OR: [{ at: { lt: after.at } }, { at: after.at, id: { lt: after.id } }] }),
        },
        orderBy: [{ at: 'desc' }, { id: 'desc' }],
        take: limit,
      }),
    );
    return rows.map(({ tenantId: _, at, ...row }) => ({ ...withoutNulls(row), at: at.toISOString() }) as Call);
  }

  async find(tenantId: string, id: string): Promise<Call | undefined> {
    const row = await this.database
      .forTenant(tenantId)
      .transaction((tx) => tx.call.findFirst({ where: { tenantId, id } }));
    if (row === null) return undefined;
    const { tenantId: _, at, ...rest } = row;
    return { ...withoutNulls(rest), at: at.toISOString() } as Call;
  }
}

/** What a client says of itself, as text that Postgres takes: one that it refuses would take the whole batch along. */
function storable(text: string | undefined): string | undefined {
  return text?.replace(/[\0\p{Surrogate}]/gu, '\uFFFD');
}

function withoutNulls<T extends object>(row: T): Partial<T> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Partial<T>;
}
