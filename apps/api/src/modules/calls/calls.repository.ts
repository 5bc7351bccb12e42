import { randomUUID } from 'node:crypto';
import type { Call } from '@gantry/contracts';
import type pg from 'pg';
import type { Database } from '../../infra/prisma/database.js';
import type { CallRecord } from './call-log.js';

const COLUMNS =
  'id, tenant_id, at, server, tool, method, status, duration_ms, era, client, principal, node, session_id, job_id, source';
const INSERT = {
  name: 'calls-insert',
  text: `INSERT INTO calls (${COLUMNS}) SELECT * FROM unnest(
    $1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::text[], $8::float8[],
    $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[])`,
};

export interface CallFilter {
  readonly server?: string;
  readonly tool?: string;
  readonly status?: string;
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

  async insert(records: readonly CallRecord[]): Promise<void> {
    const client = await this.pool.connect();
    try {
      await client.query("BEGIN; SET LOCAL gantry.scope = 'platform'");
      await client.query({ ...INSERT, values: this.columns(records) });
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

  private columns(records: readonly CallRecord[]): unknown[] {
    const all = (pick: (record: CallRecord) => unknown) => records.map(pick);
    return [
      all(() => randomUUID()),
      all((r) => r.tenantId),
      all((r) => new Date(r.finishedAt)),
      all((r) => r.server),
      all((r) => r.tool ?? null),
      all((r) => r.method),
      all((r) => r.status),
      all((r) => r.durationMs),
      all((r) => r.era),
      all((r) => r.client ?? null),
      all((r) => r.principal),
      all(() => this.node),
      all((r) => r.sessionId ?? null),
      all((r) => r.jobId ?? null),
      all((r) => r.source),
    ];
  }
}

function withoutNulls<T extends object>(row: T): Partial<T> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Partial<T>;
}
