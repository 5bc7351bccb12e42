import type pg from 'pg';
import { scoped } from '../../../infra/prisma/scoped.js';
import { WORKER_LEASE_MS } from '../store/job.repository.js';
import { type JobRecord, type Row, recordOf } from '../store/job-record.js';
import { share, type Waiting } from './stride.js';

/** One admission runs at a time, over all nodes; the same lock as in `gantry_job_submit`. */
const LOCK = 72_707_370;

/** Tenants with waiting jobs: found one after the other by the index, however many jobs each has. */
const TENANTS = `
  WITH RECURSIVE waiting AS (
    (SELECT tenant_id FROM jobs WHERE status = 'queued' AND admitted_at IS NULL ORDER BY tenant_id LIMIT 1)
    UNION ALL
    SELECT (SELECT j.tenant_id FROM jobs j WHERE j.status = 'queued' AND j.admitted_at IS NULL
              AND j.tenant_id > w.tenant_id ORDER BY j.tenant_id LIMIT 1)
      FROM waiting w WHERE w.tenant_id IS NOT NULL
  )
  SELECT w.tenant_id AS "tenantId", t.pass,
         coalesce((n.limits->>'concurrentJobs')::int, $1) AS cap,
         (SELECT count(*)::int FROM (SELECT 1 FROM jobs j WHERE j.tenant_id = w.tenant_id AND j.status = 'queued'
            AND j.admitted_at IS NULL LIMIT $2) counted) AS waiting,
         (SELECT count(*)::int FROM jobs j WHERE j.tenant_id = w.tenant_id AND j.finished_at IS NULL
            AND j.admitted_at IS NOT NULL) AS admitted
    FROM waiting w JOIN tenants n ON n.id = w.tenant_id LEFT JOIN job_turns t ON t.tenant_id = w.tenant_id`;

const ADMIT = `
  UPDATE jobs SET admitted_at = clock_timestamp() WHERE id IN (
    SELECT id FROM jobs WHERE tenant_id = $1 AND status = 'queued' AND admitted_at IS NULL
      ORDER BY created_at, id LIMIT $2) RETURNING id, attempts`;

const TURN = `
  INSERT INTO job_turns (tenant_id, pass) VALUES ($1, $2) ON CONFLICT (tenant_id) DO UPDATE SET pass = $2`;

/** A job that may run, and how often it has. */
export interface AdmittedJob {
  readonly id: string;
  readonly attempts: number;
}

/** Which waiting jobs come next. */
export class AdmissionRepository {
  constructor(private readonly pool: pg.Pool) {}

  /** Whether any job waits: far cheaper than to admit none. */
  async anyWaits(): Promise<boolean> {
    const { rows } = await this.pool.query({ name: 'jobs-wait', text: 'SELECT gantry_jobs_wait() AS any' });
    return rows[0].any as boolean;
  }

  /**
   * Marks as many waiting jobs as admitted as there is room for, at most twice as many in all as there are slots, by turns
   * over their tenants. Gives them in the order of the turns.
   * @param concurrent how many a tenant may have admitted that has no limit of its own
   */
  admit(concurrent: number): Promise<AdmittedJob[]> {
    return scoped(this.pool, 'platform', async (client) => {
      await client.query({ name: 'job-admission-lock', text: 'SELECT pg_advisory_xact_lock($1)', values: [LOCK] });
      const room = await client.query({
        name: 'job-admission-room',
        text: `SELECT 2 * gantry_job_slots($1) - count(*) AS free
               FROM jobs WHERE finished_at IS NULL AND admitted_at IS NOT NULL`,
        values: [WORKER_LEASE_MS],
      });
      const free = Number(room.rows[0]?.free ?? 0);
      if (free <= 0) return [];
      const { rows } = await client.query({ name: 'job-admission-tenants', text: TENANTS, values: [concurrent, free] });
      const picks = share(rows.map((row) => ({ ...row, pass: row.pass ?? undefined })) as Waiting[], free);
      const admitted: AdmittedJob[] = [];
      for (const { tenantId, count, pass } of picks) {
        await client.query({ name: 'job-turn', text: TURN, values: [tenantId, pass] });
        const { rows: jobs } = await client.query({ name: 'job-admit', text: ADMIT, values: [tenantId, count] });
        admitted.push(...(jobs as AdmittedJob[]));
      }
      return admitted;
    });
  }

  /** Waiting jobs whose callers look at them or wait for them, with their places among those of their tenant. */
  places(limit: number): Promise<(JobRecord & { readonly place: number })[]> {
    return scoped(this.pool, 'platform', async (client) => {
      const { rows } = await client.query({
        name: 'job-places',
        text: `SELECT * FROM (
                 SELECT j.*, row_number() OVER (PARTITION BY tenant_id ORDER BY created_at, id)::int AS place
                   FROM jobs j WHERE status = 'queued' AND admitted_at IS NULL) waiting
                ORDER BY place, created_at LIMIT $1`,
        values: [limit],
      });
      return rows.map((row) => recordOf(row as Row) as JobRecord & { readonly place: number });
    });
  }

  /** Admitted jobs that wait for a worker: the queue may have lost them. At most 1 000. */
  admitted(olderThanMs: number): Promise<AdmittedJob[]> {
    return scoped(this.pool, 'platform', async (client) => {
      const { rows } = await client.query({
        name: 'jobs-admitted-long-ago',
        text: `SELECT id, attempts FROM jobs WHERE status = 'queued' AND finished_at IS NULL AND admitted_at IS NOT NULL
                 AND admitted_at <= clock_timestamp() - $1 * interval '1 millisecond' ORDER BY admitted_at LIMIT 1000`,
        values: [olderThanMs],
      });
      return rows as AdmittedJob[];
    });
  }
}
