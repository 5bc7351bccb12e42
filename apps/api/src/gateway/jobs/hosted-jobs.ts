import { randomBytes } from 'node:crypto';
import {
  type InputAnswer,
  type Job,
  type JobOwner,
  type JobSubmission,
  type Jobs,
  mayRepeat,
  requestKey,
  type SessionKey,
  type Submitted,
} from '@gantry/mcp-core';
import type { JobsService } from '../../modules/jobs/jobs.service.js';
import type { EndedRecord, JobSummary, NewJob } from '../../modules/jobs/store/job-record.js';
import type { PublishedServer, ToolBinding } from '../../modules/tools/catalogue/snapshot.js';
import { digestOf } from './digest.js';

const ID_BYTES = 18;
const CANCELLED = 'The caller cancelled it';

export interface HostedJobsOptions {
  readonly service: JobsService;
  /** This node: what waits on a connection of its ends with it. */
  readonly nodeId: string;
  readonly onFault: (error: unknown) => void;
}

/** Jobs of one hosted server, as mcp-core submits them and asks for them. */
export class HostedJobs implements Jobs {
  constructor(
    private readonly options: HostedJobsOptions,
    private readonly published: Pick<PublishedServer, 'tenantId' | 'serverId' | 'serverSlug' | 'revision' | 'document'>,
    private readonly concurrent: number,
    private readonly source: 'mcp' | 'console',
  ) {}

  async submit(submission: JobSubmission): Promise<Submitted> {
    const { service } = this.options;
    const { id, storedAt, joined } = await service.submit(this.newJob(submission), this.concurrent);
    if (!joined) return { job: newlyStored(id, storedAt, submission), joined };
    const job = await this.get(submission, id);
    if (job === undefined) throw new Error('a job that was just stored is gone');
    return { job, joined };
  }

  async get({ owner }: JobOwner, id: string): Promise<Job | undefined> {
    const row = await this.options.service.get(this.published.tenantId, id);
    return row !== undefined && this.mayHave(row, owner) ? jobOf(row) : undefined;
  }

  async list({ owner }: JobOwner, limit: number, after?: string): Promise<readonly Job[]> {
    const { tenantId, serverId } = this.published;
    const rows = await this.options.service.listTasks(tenantId, serverId, owner, limit, after);
    return rows.map((row) => jobOf(row));
  }

  async cancel(owner: JobOwner, id: string, reason = CANCELLED): Promise<Job | undefined> {
    if ((await this.get(owner, id)) === undefined) return undefined;
    await this.options.service.cancel(this.published.tenantId, id, reason);
    return this.get(owner, id);
  }

  async answer(owner: JobOwner, id: string, answers: Readonly<Record<string, InputAnswer>>): Promise<Job | undefined> {
    if ((await this.get(owner, id)) === undefined) return undefined;
    await this.options.service.answer(this.published.tenantId, id, answers);
    return this.get(owner, id);
  }

  cancelCall(session: SessionKey, request: string, reason = CANCELLED): void {
    const { service, onFault } = this.options;
    service.cancelCall(this.published.tenantId, callKey(session.id, request), reason).catch(onFault);
  }

  private mayHave({ serverId, owner }: EndedRecord, asking: string): boolean {
    return serverId === this.published.serverId && owner === asking;
  }

  private newJob(submission: JobSubmission): NewJob {
    const { tenantId, serverId, serverSlug, revision } = this.published;
    const { owner, tool, caller, face, reply, rounds, ttlMs, idempotencyKey } = submission;
    const alone = reply?.key.alone === true;
    return {
      id: randomBytes(ID_BYTES).toString('base64url'),
      tenantId,
      serverId,
      server: serverSlug,
      revision,
      tool: tool.definition.name,
      owner,
      principal: owner,
      face,
      arguments: submission.arguments,
      caller: { ...caller, source: this.source },
      repeatable: mayRepeat(tool.definition),
      timeoutMs: tool.timeoutMs,
      ...(this.source === 'console' && { definition: this.draft(tool.runner as ToolBinding) }),
      ...(reply && { reply }),
      ...(rounds && { rounds }),
      ...(alone && { callerNode: this.options.nodeId }),
      ...(face === 'call' && caller.sessionId && { callKey: callKey(caller.sessionId, requestKey(caller.requestId)) }),
      ...(ttlMs === undefined ? {} : { ttlMs }),
      ...(idempotencyKey && { idempotencyKey, digest: digestOf(submission.arguments) }),
    };
  }

  /** What a draft is tried with may never be published: the job brings it along. */
  private draft({ document }: ToolBinding): object {
    const { tools: _, prompts: __, resources: ___, resourceTemplates: ____, ...server } = this.published.document;
    return { ...server, tools: [document] };
  }
}

/** Names an open call of a session. As JSON, since a client's id may hold what no text of Postgres can. */
function callKey(sessionId: string, request: string): string {
  return `${sessionId} ${JSON.stringify(request)}`;
}

/** A job as it was when it was stored; it may have come further, which whoever waits for it is told. */
function newlyStored(id: string, storedAt: Date, { tool, face, ttlMs }: JobSubmission): Job {
  const at = storedAt.getTime();
  return { id, tool: tool.definition.name, face, status: 'queued', createdAt: at, updatedAt: at, ttlMs: ttlMs ?? null };
}

function jobOf(row: JobSummary & Partial<Pick<EndedRecord, 'questions' | 'end'>> & { readonly place?: number }): Job {
  const { id, tool, face, status, createdAt, updatedAt, ttlMs = null, questions, end } = row;
  const statusMessage = row.statusMessage ?? row.error ?? (row.place && `Waiting: place ${row.place} in the queue`);
  return {
    id,
    tool,
    face,
    status,
    ...(statusMessage && { statusMessage }),
    createdAt: createdAt.getTime(),
    updatedAt: updatedAt.getTime(),
    ttlMs,
    ...(status === 'input_required' && questions && { questions: questions as Job['questions'] }),
    ...(end && { end }),
  };
}
