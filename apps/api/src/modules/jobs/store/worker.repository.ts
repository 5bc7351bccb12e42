import type { JobEnd } from '@gantry/mcp-core';
import type pg from 'pg';
import { scoped } from '../../../infra/prisma/scoped.js';
import { closeAttempt, storeResult, WORKER_LEASE_MS } from './job.repository.js';
import { type JobRecord, type Row, recordOf } from './job-record.js';

/** What a worker hears when it beats. */
export interface BeatReply {
  /** Its running jobs that are to stop. */
  readonly cancels: readonly { readonly id: string; readonly reason: string }[];
  /** What it has claimed. */
  readonly mine: readonly ClaimedRow[];
}

export interface JobName {
  readonly id: string;
  readonly tenantId: string;
}

/** A job that is claimed, and which of its attempts. */
export interface ClaimedRow {
  readonly id: string;
  readonly attempt: number;
}

/** What became of the jobs of a process that is gone. */
export interface Losses {
  readonly requeued: readonly JobRecord[];
  readonly unknown: readonly JobRecord[];
  readonly cancelled: readonly JobRecord[];
}

const LAPSED = `beat_at <= clock_timestamp() - ${WORKER_LEASE_MS} * interval '1 millisecond'`;

/** The rows of workers, and of jobs whose worker or caller is gone. */
export class WorkerRepository {
  constructor(private readonly pool: pg.Pool) {}

  /** Says that a worker lives, and asks what is to be done about what it runs. */
  beat(node: string, slots: number): Promise<BeatReply> {
    return scoped(this.pool, 'platform', async (client) => {
      await client.query({
        name: 'job-worker-beat',
        text: `INSERT INTO job_workers (node, slots, beat_at) VALUES ($1, $2, clock_timestamp())
               ON CONFLICT (node) DO UPDATE SET slots = $2, beat_at = clock_timestamp()`,
        values: [node, slots],
      });
      const { rows } = await client.query({
        name: 'job-worker-mine',
        text: `SELECT id, attempts, cancel_reason, cancel_asked_at IS NOT NULL AS asked FROM jobs
               WHERE node = $1 AND finished_at IS NULL AND admitted_at IS NOT NULL AND status = 'running'`,
        values: [node],
      });
      return {
        mine: rows.map(({ id, attempts }) => ({ id, attempt: attempts }) as ClaimedRow),
        cancels: rows
          .filter(({ asked }) => asked)
          .map(({ id, cancel_reason }) => ({ id, reason: cancel_reason ?? '' })),
      };
    });
  }

  /** A worker takes no more jobs. */
  async leave(node: string): Promise<void> {
    await scoped(this.pool, 'platform', (client) =>
      client.query({ text: 'DELETE FROM job_workers WHERE node = $1', values: [node] }),
    );
  }

  /** Workers whose lease has lapsed, and nodes that something still runs on although they are no workers. */
  lost(): Promise<string[]> {
    return scoped(this.pool, 'platform', async (client) => {
      const { rows } = await client.query({
        name: 'job-workers-lost',
        text: `SELECT node FROM job_workers WHERE ${LAPSED}
               UNION SELECT DISTINCT j.node FROM jobs j
                 WHERE j.status = 'running' AND j.finished_at IS NULL AND j.admitted_at IS NOT NULL
                   AND j.updated_at <= clock_timestamp() - ${WORKER_LEASE_MS} * interval '1 millisecond'
                   AND NOT EXISTS (SELECT FROM job_workers w WHERE w.node = j.node)`,
      });
      return rows.map(({ node }) => node as string);
    });
  }

  /** Living workers that take jobs, and the jobs they can run at once together. */
  async living(): Promise<{ readonly workers: number; readonly slots: number }> {
    return scoped(this.pool, 'platform', async (client) => {
      const { rows } = await client.query(
        `SELECT count(*)::int AS workers, coalesce(sum(slots), 0)::int AS slots FROM job_workers
           WHERE slots > 0 AND NOT ${LAPSED}`,
      );
      return rows[0] as { workers: number; slots: number };
    });
  }

  /**
   * Takes what a process that is gone was running: what may be repeated waits again, what was to be cancelled is, and of
   * the rest nobody knows how far it came. Of all who find the process gone, one gets each job. Undefined while the
   * lease of the process stands.
   * @param claims these alone, whatever the lease: the process says itself that it does not run them
   */
  lose(
    node: string,
    unknownEnd: (job: JobRecord) => JobEnd,
    keptMs: number,
    claims?: readonly ClaimedRow[],
  ): Promise<Losses | undefined> {
    return scoped(this.pool, 'platform', async (client) => {
      if (claims === undefined && !(await isGone(client, node))) return undefined;
      const { rows } = await client.query({
        text: `UPDATE jobs SET
                 status = CASE WHEN cancel_asked_at IS NOT NULL THEN 'cancelled' WHEN repeatable THEN 'queued' ELSE 'unknown' END,
                 error = CASE WHEN cancel_asked_at IS NULL AND NOT repeatable THEN $3 ELSE error END,
                 admitted_at = CASE WHEN cancel_asked_at IS NULL AND repeatable THEN NULL ELSE admitted_at END,
                 finished_at = CASE WHEN cancel_asked_at IS NULL AND repeatable THEN NULL ELSE clock_timestamp() END,
                 expires_at = CASE WHEN cancel_asked_at IS NULL AND repeatable THEN NULL
                   ELSE clock_timestamp() + greatest($2, coalesce(ttl_ms, 0)) * interval '1 millisecond' END,
                 updated_at = clock_timestamp()
               WHERE node = $1 AND status = 'running' AND finished_at IS NULL AND admitted_at IS NOT NULL
                 AND ($4::text[] IS NULL
                   OR (id, attempts) IN (SELECT c.id, c.attempt FROM unnest($4::text[], $5::int[]) AS c(id, attempt)))
               RETURNING *`,
        values: [
          node,
          keptMs,
          'Outcome unknown: the worker that ran it has stopped',
          claims?.map(({ id }) => id) ?? null,
          claims?.map(({ attempt }) => attempt) ?? null,
        ],
      });
      const jobs = rows.map((row) => recordOf(row as Row));
      for (const job of jobs) {
        if (job.status === 'unknown') await storeResult(client, job, unknownEnd(job));
        await closeAttempt(client, job, 'lost', 'the worker has stopped');
      }
      const of = (status: string) => jobs.filter((job) => job.status === status);
      return { requeued: of('queued'), unknown: of('unknown'), cancelled: of('cancelled') };
    });
  }

  /**
   * Jobs that are over, or ask, and whose callers were not told, the newest first. At most 100.
   * @param youngerThanMs what has changed longer ago is given up: nobody waits any more
   */
  unanswered(olderThanMs: number, youngerThanMs: number): Promise<JobName[]> {
    return scoped(this.pool, 'platform', async (client) => {
      const { rows } = await client.query({
        name: 'jobs-unanswered',
        text: `SELECT j.id, j.tenant_id AS "tenantId" FROM jobs j
               WHERE j.answered_at IS NULL AND (j.finished_at IS NOT NULL OR j.status = 'input_required')
                 AND j.updated_at <= clock_timestamp() - $1 * interval '1 millisecond'
                 AND j.updated_at > clock_timestamp() - $2 * interval '1 millisecond'
               ORDER BY j.updated_at DESC LIMIT 100`,
        values: [olderThanMs, youngerThanMs],
      });
      return rows;
    });
  }

  /** Nodes on which callers of open jobs hang, whose death gives those jobs up. */
  callerNodes(): Promise<string[]> {
    return scoped(this.pool, 'platform', async (client) => {
      const { rows } = await client.query({
        name: 'job-caller-nodes',
        text: `SELECT DISTINCT caller_node AS node FROM jobs
               WHERE caller_node IS NOT NULL AND finished_at IS NULL AND idempotency_key IS NULL
                 AND cancel_asked_at IS NULL`,
      });
      return rows.map(({ node }) => node as string);
    });
  }

  /** Open jobs whose caller hung on a node that is gone, and that nobody can ask for again. */
  ofCallers(node: string): Promise<JobName[]> {
    return scoped(this.pool, 'platform', async (client) => {
      const { rows } = await client.query({
        text: `SELECT id, tenant_id AS "tenantId" FROM jobs
               WHERE caller_node = $1 AND finished_at IS NULL AND idempotency_key IS NULL`,
        values: [node],
      });
      return rows;
    });
  }

  /** Jobs whose questions nobody has answered for as long as an end is kept, at most 100. */
  unheard(): Promise<JobName[]> {
    return scoped(this.pool, 'platform', async (client) => {
      const { rows } = await client.query({
        text: `SELECT id, tenant_id AS "tenantId" FROM jobs
               WHERE expires_at <= clock_timestamp() AND finished_at IS NULL ORDER BY expires_at LIMIT 100`,
      });
      return rows;
    });
  }

  /** Forgets jobs that are over and kept no longer; gives how many, at most 500 at a time. */
  async forget(): Promise<number> {
    const { rowCount } = await scoped(this.pool, 'platform', (client) =>
      client.query(
        `DELETE FROM jobs WHERE id IN (SELECT id FROM jobs WHERE expires_at <= clock_timestamp()
           AND finished_at IS NOT NULL ORDER BY expires_at LIMIT 500 FOR UPDATE SKIP LOCKED)`,
      ),
    );
    return rowCount ?? 0;
  }
}

/** A process that is a worker is gone with its lease, which whoever finds it lapsed ends for good. */
async function isGone(client: pg.PoolClient, node: string): Promise<boolean> {
  const ended = await client.query({ text: `DELETE FROM job_workers WHERE node = $1 AND ${LAPSED}`, values: [node] });
  if (ended.rowCount === 1) return true;
  const stands = await client.query({ text: 'SELECT FROM job_workers WHERE node = $1', values: [node] });
  return stands.rowCount === 0;
}
