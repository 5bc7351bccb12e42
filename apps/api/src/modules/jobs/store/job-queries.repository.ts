import type { JobAttempt, JobQueue } from '@gantry/contracts';
import type pg from 'pg';
import { scoped } from '../../../infra/prisma/scoped.js';
import { type EndedRecord, endedOf, type JobSummary, type Row, SUMMARY, summaryOf } from './job-record.js';

export interface JobFilter {
  readonly server?: string | undefined;
  readonly tool?: string | undefined;
  readonly status?: string | undefined;
  /** Looked for in id, tool and error text, ignoring case. */
  readonly q?: string | undefined;
  /** Whoever asks may see what tools have said: `q` is looked for in errors too. */
  readonly payloads?: boolean;
}

/** Position in the list: newest first, by time and id. */
export interface JobPosition {
  readonly at: Date;
  readonly id: string;
}

/** A row of the list with its place among those that wait. */
export type ListedJob = JobSummary & { readonly place?: number };

const LIST = `
  SELECT ${SUMMARY}, CASE WHEN j.status = 'queued' AND j.admitted_at IS NULL THEN
      (SELECT count(*)::int + 1 FROM jobs b WHERE b.tenant_id = j.tenant_id AND b.status = 'queued'
         AND b.admitted_at IS NULL AND (b.created_at, b.id) < (j.created_at, j.id)) END AS place
    FROM jobs j
   WHERE j.tenant_id = $1 AND ($2::text IS NULL OR j.server = $2) AND ($3::text IS NULL OR j.tool = $3)
     AND ($4::text IS NULL OR j.status = $4)
     AND ($5::text IS NULL OR j.id ILIKE $5 OR j.tool ILIKE $5 OR ($9 AND j.error ILIKE $5))
     AND ($6::timestamptz IS NULL OR (j.created_at, j.id) < ($6, $7))
   ORDER BY j.created_at DESC, j.id DESC LIMIT $8`;

const FIGURES = `
  SELECT count(*) FILTER (WHERE status = 'queued')::int AS queued,
         count(*) FILTER (WHERE status = 'running')::int AS running,
         count(*) FILTER (WHERE status = 'input_required')::int AS "inputRequired",
         count(*) FILTER (WHERE status = 'completed')::int AS completed,
         count(*) FILTER (WHERE status = 'failed')::int AS failed,
         count(*) FILTER (WHERE status = 'cancelled')::int AS cancelled,
         count(*) FILTER (WHERE status = 'unknown')::int AS unknown,
         min(created_at) FILTER (WHERE status = 'queued') AS "oldestWaitingAt",
         percentile_cont(0.95) WITHIN GROUP (ORDER BY extract(epoch FROM started_at - created_at) * 1000)
           FILTER (WHERE started_at IS NOT NULL) AS "waitP95Ms",
         percentile_cont(0.95) WITHIN GROUP (ORDER BY extract(epoch FROM finished_at - started_at) * 1000)
           FILTER (WHERE finished_at IS NOT NULL AND started_at IS NOT NULL) AS "runP95Ms"
    FROM jobs WHERE tenant_id = $1
     AND (finished_at IS NULL OR finished_at > clock_timestamp() - interval '1 hour')`;

/** What people ask of jobs. */
export class JobQueries {
  constructor(private readonly pool: pg.Pool) {}

  /** Newest first, strictly after `after`; at most `limit`. */
  list(tenantId: string, filter: JobFilter, limit: number, after: JobPosition | undefined): Promise<ListedJob[]> {
    const { server, tool, status, q, payloads = false } = filter;
    const pattern = q === undefined ? null : `%${q.replace(/[\\%_]/g, '\\$&')}%`;
    return scoped(this.pool, { tenantId }, async (client) => {
      const { rows } = await client.query({
        text: LIST,
        values: [
          tenantId,
          server ?? null,
          tool ?? null,
          status ?? null,
          pattern,
          after?.at ?? null,
          after?.id ?? null,
          limit,
          payloads,
        ],
      });
      return rows.map((row) => summaryOf(row as Row));
    });
  }

  /** Those that are named and there, at most 500. */
  some(tenantId: string, ids: readonly string[]): Promise<ListedJob[]> {
    return scoped(this.pool, { tenantId }, async (client) => {
      const { rows } = await client.query({
        text: `SELECT ${SUMMARY} FROM jobs j WHERE j.tenant_id = $1 AND j.id = ANY($2) LIMIT 500`,
        values: [tenantId, ids],
      });
      return rows.map((row) => summaryOf(row as Row));
    });
  }

  find(tenantId: string, id: string): Promise<(EndedRecord & { readonly attemptList: JobAttempt[] }) | undefined> {
    return scoped(this.pool, { tenantId }, async (client) => {
      const { rows } = await client.query({
        text: `SELECT j.*, r.result FROM jobs j LEFT JOIN job_results r ON r.job_id = j.id
               WHERE j.id = $1 AND j.tenant_id = $2`,
        values: [id, tenantId],
      });
      if (rows[0] === undefined) return undefined;
      const attempts = await client.query({
        text: `SELECT number, node, started_at, finished_at, outcome, error FROM job_attempts
               WHERE job_id = $1 AND tenant_id = $2 ORDER BY number DESC LIMIT 50`,
        values: [id, tenantId],
      });
      return { ...endedOf(rows[0] as Row), attemptList: attempts.rows.map((row) => attemptOf(row as Row)) };
    });
  }

  /** The tenant's part of the queue, those that ended within the last hour counted as ends. */
  figures(tenantId: string): Promise<Omit<JobQueue, 'workers' | 'slots' | 'limit'>> {
    return scoped(this.pool, { tenantId }, async (client) => {
      const { rows } = await client.query({ text: FIGURES, values: [tenantId] });
      const { oldestWaitingAt, waitP95Ms, runP95Ms, ...counts } = rows[0];
      return {
        ...counts,
        ...(oldestWaitingAt && { oldestWaitingAt: oldestWaitingAt.toISOString() }),
        ...(waitP95Ms !== null && { waitP95Ms: Math.max(0, Math.round(waitP95Ms)) }),
        ...(runP95Ms !== null && { runP95Ms: Math.max(0, Math.round(runP95Ms)) }),
      };
    });
  }
}

function attemptOf(row: Row): JobAttempt {
  const { number, node, started_at, finished_at, outcome, error } = row;
  return {
    number: number as number,
    node: node as string,
    startedAt: (started_at as Date).toISOString(),
    ...(finished_at ? { finishedAt: (finished_at as Date).toISOString() } : {}),
    ...(outcome ? { outcome: outcome as string } : {}),
    ...(error ? { error: error as string } : {}),
  };
}
