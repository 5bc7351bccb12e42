import { randomBytes } from 'node:crypto';
import type { Job, JobDetail, JobQueue, jobQuerySchema, Page } from '@gantry/contracts';
import { MCPError } from '@gantry/mcp-core';
import { z } from 'zod';
import { maySeeServer } from '../../../common/auth/server-scope.js';
import { AppError, conflict, notFound } from '../../../common/errors/app-error.js';
import { decodeCursor, pageOf } from '../../../common/http/cursor.js';
import type { TenantCaller } from '../../../common/http/request-context.js';
import type { Mutations } from '../../audit/mutations.js';
import type { JobsService } from '../jobs.service.js';
import type { JobQueries } from '../store/job-queries.repository.js';
import type { NewJob } from '../store/job-record.js';
import type { WorkerRepository } from '../store/worker.repository.js';
import { jobDetail, jobView } from './job-view.js';

const positionSchema = z.tuple([z.iso.datetime(), z.string().max(128)]);
const ID_BYTES = 18;

/** Jobs for the people of a tenant. */
export class JobsAdminService {
  constructor(
    private readonly jobs: JobsService,
    private readonly queries: JobQueries,
    private readonly workers: WorkerRepository,
    private readonly mutations: Mutations,
    private readonly concurrent: number,
  ) {}

  async list(caller: TenantCaller, query: z.infer<typeof jobQuerySchema>): Promise<Page<Job>> {
    const { limit, cursor, ...filter } = query;
    const position = decodeCursor(cursor, positionSchema);
    const after = position && { at: new Date(position[0]), id: position[1] };
    const payloads = caller.permissions.has('payloads:read');
    const rows = await this.queries.list(caller.tenant.id, { ...filter, payloads }, limit + 1, after);
    return pageOf(
      rows,
      limit,
      (row) => jobView(row, payloads),
      (row) => [row.createdAt.toISOString(), row.id],
    );
  }

  /** The newest of a tenant; whoever asks has been let in. */
  async latest(tenantId: string, limit: number, payloads: boolean): Promise<Job[]> {
    return (await this.queries.list(tenantId, {}, limit, undefined)).map((row) => jobView(row, payloads));
  }

  /** Those of a tenant that are named and there. */
  async some(tenantId: string, ids: readonly string[], payloads: boolean): Promise<Job[]> {
    return (await this.queries.some(tenantId, ids)).map((row) => jobView(row, payloads));
  }

  async get(caller: TenantCaller, id: string): Promise<JobDetail> {
    const found = await this.queries.find(caller.tenant.id, id);
    if (found === undefined) throw notFound('job');
    const { place } = (await this.jobs.get(caller.tenant.id, id)) ?? {};
    const row = { ...found, ...(place === undefined ? {} : { place }) };
    return jobDetail(row, caller.permissions.has('payloads:read'));
  }

  async queue(caller: TenantCaller): Promise<JobQueue> {
    const [figures, living] = await Promise.all([this.queries.figures(caller.tenant.id), this.workers.living()]);
    return { ...figures, ...living, limit: this.concurrent };
  }

  /** Answers when the work has stopped. */
  async cancel(caller: TenantCaller, id: string, reason: string | undefined): Promise<JobDetail> {
    const { tenant } = caller;
    const job = await this.get(caller, id);
    if (job.finishedAt !== undefined) throw conflict('The job is over already.');
    await this.audit(caller, 'job.cancel', id, reason === undefined ? {} : { reason });
    const outcome = await this.jobs.cancel(tenant.id, id, reason ?? 'Cancelled by an administrator', true);
    if (outcome === 'over') throw conflict('The job is over already.');
    if (outcome !== 'silent') return this.get(caller, id);
    throw new AppError(
      'node_silent',
      'The worker has not said within five seconds that it stopped. It stops when it hears of it.',
    );
  }

  /** A new job with what the old one was given; nobody waits for it but whoever looks at it. */
  async retry(caller: TenantCaller, id: string): Promise<JobDetail> {
    const { tenant } = caller;
    const job = await this.jobs.get(tenant.id, id);
    // A key that is narrowed to some servers runs nothing on the others.
    if (job === undefined || !maySeeServer(caller.principal, job.server)) throw notFound('job');
    if (job.finishedAt === undefined) throw conflict('The job is not over yet.');
    const made = randomBytes(ID_BYTES).toString('base64url');
    await this.audit(caller, 'job.retry', id, { job: made });
    const { progressToken: _, sessionId: __, ...told } = job.caller;
    const { tenantId, serverId, server, revision, tool, owner, principal, definition, repeatable, timeoutMs } = job;
    const again: NewJob = {
      id: made,
      tenantId,
      serverId,
      server,
      revision,
      tool,
      owner,
      principal,
      face: 'task',
      arguments: job.arguments,
      caller: { ...told, source: 'console' },
      repeatable,
      timeoutMs,
      ...(definition === undefined ? {} : { definition }),
    };
    // It waits its turn: admission knows the tenant's own cap.
    await this.jobs.submit(again, 0).catch((error) => {
      throw error instanceof MCPError ? new AppError('rate_limited', error.message) : error;
    });
    return this.get(caller, made);
  }

  private async audit(caller: TenantCaller, action: string, id: string, detail: object): Promise<void> {
    await this.mutations.inTenant(caller.tenant.id, caller, ({ record }) =>
      record({
        action,
        object: `job/${id}`,
        tenantId: caller.tenant.id,
        changes: [],
        ...(Object.keys(detail).length > 0 && { detail: { ...detail } }),
      }),
    );
  }
}
