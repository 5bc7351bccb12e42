import type { JobEnd, JobRounds, JobRunEnd } from '@gantry/mcp-core';
import type pg from 'pg';
import { scoped } from '../../../infra/prisma/scoped.js';
import { storedEnd } from './job-ends.js';
import {
  type EndedRecord,
  endedOf,
  type JobRecord,
  type JobSummary,
  type NewJob,
  type Row,
  recordOf,
  SUMMARY,
  summaryOf,
} from './job-record.js';

/** How a submission ended; `id` is of the job that stands for it. */
export type SubmitOutcome =
  | { readonly outcome: 'admitted' | 'stored' | 'joined' | 'other'; readonly id: string; readonly storedAt: Date }
  | { readonly outcome: 'full' };

export interface SubmitLimits {
  /** Jobs of the tenant that may wait, and that may be admitted, at once. */
  readonly queued: number;
  readonly concurrent: number;
  /** How long an idempotency key is remembered, in milliseconds. */
  readonly keyMs: number;
}

/** Without a beat for this long a worker is lost, in milliseconds. */
export const WORKER_LEASE_MS = 10_000;

/** What one process has claimed: nobody else may write to the row while it stands. */
export interface Claim {
  readonly id: string;
  readonly node: string;
  readonly attempt: number;
}

interface Submission {
  readonly job_id: string;
  readonly outcome: SubmitOutcome['outcome'];
  readonly stored_at: Date;
}

const MINE = `id = $1 AND node = $2 AND attempts = $3 AND status = 'running'`;

/** The rows of jobs as submitters and workers need them. What lists and people ask is in `JobQueries`. */
export class JobRepository {
  constructor(private readonly pool: pg.Pool) {}

  async submit(job: NewJob, limits: SubmitLimits): Promise<SubmitOutcome> {
    const { arguments: given, caller, reply, rounds, definition, ...facts } = job;
    const said = [given, caller, reply, rounds, definition].map((one) =>
      one === undefined ? null : JSON.stringify(one),
    );
    const { rows } = await this.pool.query({
      name: 'job-submit',
      text: 'SELECT job_id, outcome, stored_at FROM gantry_job_submit($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
      values: [JSON.stringify(facts), ...said, limits.queued, limits.concurrent, WORKER_LEASE_MS, limits.keyMs],
    });
    const [{ job_id: id, outcome, stored_at: storedAt }] = rows as [Submission];
    return outcome === 'full' ? { outcome } : { outcome, id, storedAt };
  }

  /** Undefined when the job is not to be had: it runs, or ran, or was cancelled. */
  async claim(id: string, node: string): Promise<JobRecord | undefined> {
    const { rows } = await this.pool.query({
      name: 'job-claim',
      text: 'SELECT * FROM gantry_job_claim($1, $2)',
      values: [id, node],
    });
    return rows[0] && recordOf(rows[0] as Row);
  }

  /** False when the claim stands no more. */
  async progress({ id, node, attempt }: Claim, done: number, total?: number, message?: string): Promise<boolean> {
    const { rows } = await this.pool.query({
      name: 'job-progress',
      text: 'SELECT gantry_job_progress($1, $2, $3, $4, $5, $6) AS stands',
      values: [id, node, attempt, done, total ?? null, message?.replaceAll('\0', '\uFFFD') ?? null],
    });
    return rows[0].stands as boolean;
  }

  /**
   * Ends a claim: stores the end, or the questions the job waits with. Undefined when the claim stands no more, and then
   * nothing was stored.
   * @param keptMs how long the job is kept after this
   * @param last progress that was said and not stored yet
   */
  async finish(
    { id, node, attempt }: Claim,
    ended: JobRunEnd,
    keptMs: number,
    last?: { readonly done: number; readonly total?: number | undefined },
  ): Promise<JobRecord | undefined> {
    const { status, error } = storedEnd(ended);
    const { questions, rounds } = ended.kind === 'asks' ? ended : {};
    const { rows } = await this.pool.query({
      name: 'job-finish',
      text: 'SELECT * FROM gantry_job_finish($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)',
      values: [
        id,
        node,
        attempt,
        status,
        error ?? null,
        questions === undefined ? null : JSON.stringify(questions),
        rounds === undefined ? null : JSON.stringify(rounds),
        last?.done ?? null,
        last?.total ?? null,
        ended.kind === 'ended' ? JSON.stringify(ended.end) : null,
        keptMs,
      ],
    });
    return rows[0] && recordOf(rows[0] as Row);
  }

  /** Its caller knows what came of this attempt: a later one has something else to say. */
  async answered({ id, attempts }: Pick<JobRecord, 'id' | 'attempts'>): Promise<void> {
    await this.pool.query({ name: 'job-answered', text: 'SELECT gantry_job_answered($1, $2)', values: [id, attempts] });
  }

  /**
   * Gives a claimed job back, to be run again by somebody else; one that was to be cancelled is. Undefined when the claim
   * stands no more.
   */
  handBack({ id, node, attempt }: Claim, keptMs: number): Promise<JobRecord | undefined> {
    return this.platform(async (client) => {
      const { rows } = await client.query({
        text: `UPDATE jobs SET updated_at = clock_timestamp(),
                 status = CASE WHEN cancel_asked_at IS NULL THEN 'queued' ELSE 'cancelled' END,
                 node = CASE WHEN cancel_asked_at IS NULL THEN NULL ELSE node END,
                 admitted_at = CASE WHEN cancel_asked_at IS NULL THEN NULL ELSE admitted_at END,
                 finished_at = CASE WHEN cancel_asked_at IS NULL THEN NULL ELSE clock_timestamp() END,
                 expires_at = CASE WHEN cancel_asked_at IS NULL THEN NULL
                   ELSE clock_timestamp() + greatest($4, coalesce(ttl_ms, 0)) * interval '1 millisecond' END
               WHERE ${MINE} RETURNING *`,
        values: [id, node, attempt, keptMs],
      });
      if (rows[0] === undefined) return undefined;
      const job = recordOf(rows[0] as Row);
      await closeAttempt(client, job, job.status === 'queued' ? 'handed_back' : job.status, undefined);
      return job;
    });
  }

  get(tenantId: string, id: string): Promise<EndedRecord | undefined> {
    return scoped(this.pool, { tenantId }, async (client) => {
      const { rows } = await client.query({
        name: 'job-get',
        text: `SELECT j.*, r.result FROM jobs j LEFT JOIN job_results r ON r.job_id = j.id
               WHERE j.id = $1 AND j.tenant_id = $2 AND (j.expires_at IS NULL OR j.expires_at > clock_timestamp())`,
        values: [id, tenantId],
      });
      return rows[0] && endedOf(rows[0] as Row);
    });
  }

  /** Tasks of one caller at one server, without what they hold, the newest first, strictly after the one with the id `after`. */
  listTasks(
    tenantId: string,
    serverId: string,
    owner: string,
    limit: number,
    after: string | undefined,
  ): Promise<JobSummary[]> {
    return scoped(this.pool, { tenantId }, async (client) => {
      const { rows } = await client.query({
        text: `SELECT ${SUMMARY} FROM jobs j
               WHERE j.tenant_id = $1 AND j.server_id = $2 AND j.owner = $3 AND j.face = 'task'
                 AND (j.expires_at IS NULL OR j.expires_at > clock_timestamp())
                 AND ($5::text IS NULL OR (j.created_at, j.id) <
                      (SELECT a.created_at, a.id FROM jobs a WHERE a.id = $5 AND a.tenant_id = $1))
               ORDER BY j.created_at DESC, j.id DESC LIMIT $4`,
        values: [tenantId, serverId, owner, limit, after ?? null],
      });
      return rows.map((row) => summaryOf(row as Row));
    });
  }

  /**
   * Asks a job to stop: one that waits is cancelled by this, one that runs is marked, for its worker to be told. Undefined
   * for one that is over, or was never there.
   * @param told the caller does not know of it, and is to be answered
   */
  cancel(tenantId: string, id: string, reason: string, keptMs: number, told = false): Promise<JobRecord | undefined> {
    return scoped(this.pool, { tenantId }, async (client) => {
      const { rows } = await client.query({
        name: 'job-cancel',
        text: `UPDATE jobs SET cancel_asked_at = coalesce(cancel_asked_at, clock_timestamp()), cancel_reason = $3, cancel_told = cancel_told OR $5,
                 status = CASE WHEN status = 'running' THEN status ELSE 'cancelled' END,
                 questions = CASE WHEN status = 'running' THEN questions END,
                 status_message = CASE WHEN status = 'running' THEN status_message END,
                 finished_at = CASE WHEN status = 'running' THEN NULL ELSE clock_timestamp() END,
                 expires_at = CASE WHEN status = 'running' THEN NULL
                   ELSE clock_timestamp() + greatest($4, coalesce(ttl_ms, 0)) * interval '1 millisecond' END,
                 answered_at = CASE WHEN status = 'running' THEN answered_at END,
                 updated_at = clock_timestamp()
               WHERE id = $1 AND tenant_id = $2 AND finished_at IS NULL RETURNING *`,
        values: [id, tenantId, reason.slice(0, 500).replaceAll('\0', '\uFFFD'), keptMs, told],
      });
      return rows[0] && recordOf(rows[0] as Row);
    });
  }

  /** Stores answers; `decide` is given the row under a lock. Undefined when the job asks nothing. */
  answer(
    tenantId: string,
    id: string,
    decide: (job: JobRecord) => { questions: object | undefined; rounds: JobRounds } | undefined,
  ): Promise<JobRecord | undefined> {
    return scoped(this.pool, { tenantId }, async (client) => {
      const found = await client.query({
        text: `SELECT * FROM jobs WHERE id = $1 AND tenant_id = $2 AND status = 'input_required' FOR UPDATE`,
        values: [id, tenantId],
      });
      const decided = found.rows[0] && decide(recordOf(found.rows[0] as Row));
      if (decided === undefined) return undefined;
      const { rows } = await client.query({
        text: `UPDATE jobs SET questions = $3, rounds = $4, status = $5, answered_at = NULL, updated_at = clock_timestamp(),
                 expires_at = CASE WHEN $5 = 'queued' THEN NULL ELSE expires_at END
               WHERE id = $1 AND tenant_id = $2 RETURNING *`,
        values: [
          id,
          tenantId,
          decided.questions === undefined ? null : JSON.stringify(decided.questions),
          JSON.stringify(decided.rounds),
          decided.questions === undefined ? 'queued' : 'input_required',
        ],
      });
      return recordOf(rows[0] as Row);
    });
  }

  /** Where a waiting job stands among those of its tenant, from 1. */
  place({ tenantId, id, createdAt }: JobRecord): Promise<number> {
    return scoped(this.pool, { tenantId }, async (client) => {
      const { rows } = await client.query({
        name: 'job-place',
        text: `SELECT count(*)::int + 1 AS place FROM jobs WHERE tenant_id = $1 AND status = 'queued' AND admitted_at IS NULL
                 AND (created_at, id) < ($2, $3)`,
        values: [tenantId, createdAt, id],
      });
      return rows[0].place as number;
    });
  }

  /** The open call of a session by the name of its request. */
  byCallKey(tenantId: string, callKey: string): Promise<string[]> {
    return scoped(this.pool, { tenantId }, async (client) => {
      const { rows } = await client.query({
        text: 'SELECT id FROM jobs WHERE tenant_id = $1 AND call_key = $2 AND finished_at IS NULL',
        values: [tenantId, callKey],
      });
      return rows.map(({ id }) => id as string);
    });
  }

  private platform<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return scoped(this.pool, 'platform', work);
  }
}

export async function storeResult(client: pg.PoolClient, { id, tenantId }: JobRecord, end: JobEnd): Promise<void> {
  await client.query({
    name: 'job-result',
    text: 'INSERT INTO job_results (job_id, tenant_id, result) VALUES ($1, $2, $3) ON CONFLICT (job_id) DO NOTHING',
    values: [id, tenantId, JSON.stringify(end)],
  });
}

export async function closeAttempt(
  client: pg.PoolClient,
  { id, attempts }: JobRecord,
  outcome: string,
  error: string | undefined,
): Promise<void> {
  await client.query({
    name: 'job-attempt-closed',
    text: `UPDATE job_attempts SET finished_at = clock_timestamp(), outcome = $3, error = $4
           WHERE job_id = $1 AND number = $2 AND finished_at IS NULL`,
    values: [id, attempts, outcome, error ?? null],
  });
}
