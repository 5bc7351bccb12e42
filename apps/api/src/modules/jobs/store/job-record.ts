import type { JobCaller, JobEnd, JobFace, JobRounds, JobStatus, ReplyStream } from '@gantry/mcp-core';

type Questions = Readonly<Record<string, { readonly method: string; readonly params?: object }>>;

/** A job's row, without how it ended. */
export interface JobRecord {
  readonly id: string;
  readonly tenantId: string;
  readonly serverId: string;
  /** Slug. */
  readonly server: string;
  /** Number of the published revision that the call was made to. */
  readonly revision: number;
  readonly tool: string;
  /** The document that it runs from, for a draft; what is published is found by its revision. */
  readonly definition: unknown;
  /** In whose name it runs, and who may look at it. */
  readonly owner: string;
  readonly principal: string;
  readonly face: JobFace;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly caller: JobCaller & { readonly source?: 'mcp' | 'console' };
  readonly reply: ReplyStream | undefined;
  readonly rounds: JobRounds | undefined;
  readonly questions: Questions | undefined;
  readonly status: JobStatus;
  readonly statusMessage: string | undefined;
  readonly progress: number | undefined;
  readonly total: number | undefined;
  /** A lost run may be repeated. */
  readonly repeatable: boolean;
  readonly timeoutMs: number;
  readonly attempts: number;
  readonly node: string | undefined;
  /** The node whose death gives the job up, since its caller hangs on it alone. */
  readonly callerNode: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly error: string | undefined;
  readonly ttlMs: number | undefined;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly admittedAt: Date | undefined;
  readonly startedAt: Date | undefined;
  readonly finishedAt: Date | undefined;
  readonly answeredAt: Date | undefined;
  readonly cancelAskedAt: Date | undefined;
  readonly cancelReason: string | undefined;
  /** Somebody else than its caller has cancelled it: the caller is answered with an error. */
  readonly cancelTold: boolean;
  readonly expiresAt: Date | undefined;
}

/** What may be large: lists do without. */
type Payload = 'arguments' | 'definition' | 'reply' | 'rounds' | 'questions';

/** A job as lists have it. */
export type JobSummary = Omit<JobRecord, Payload>;

/** Its columns, of `jobs j`. */
export const SUMMARY = `j.id, j.tenant_id, j.server_id, j.server, j.revision, j.tool, j.owner, j.principal, j.face, j.caller, j.status,
  j.status_message, j.progress, j.total, j.repeatable, j.timeout_ms, j.attempts, j.node, j.caller_node, j.idempotency_key,
  j.error, j.ttl_ms, j.created_at, j.updated_at, j.admitted_at, j.started_at, j.finished_at, j.answered_at, j.cancel_asked_at,
  j.cancel_reason, j.cancel_told, j.expires_at`;

/** A job with its end, if it has one. */
export interface EndedRecord extends JobRecord {
  readonly end: JobEnd | undefined;
}

/** What is stored of a new job. */
export interface NewJob
  extends Pick<
    JobRecord,
    | 'id'
    | 'tenantId'
    | 'serverId'
    | 'server'
    | 'revision'
    | 'tool'
    | 'owner'
    | 'principal'
    | 'face'
    | 'arguments'
    | 'caller'
    | 'repeatable'
    | 'timeoutMs'
  > {
  readonly definition?: unknown;
  readonly reply?: ReplyStream | undefined;
  readonly rounds?: JobRounds | undefined;
  readonly callerNode?: string | undefined;
  /** Names the call of a session, for a cancel that comes to another node. */
  readonly callKey?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  /** Of the arguments; calls under one key must agree in it. */
  readonly digest?: string | undefined;
  readonly ttlMs?: number | undefined;
}

/** A row as the driver gives it: snake case, and null for nothing. */
export type Row = Record<string, unknown>;

export function recordOf(row: Row): JobRecord {
  const entries = Object.entries(row).map(([name, value]) => [camel(name), value ?? undefined]);
  return Object.fromEntries(entries) as unknown as JobRecord;
}

export function summaryOf(row: Row): JobSummary {
  return recordOf(row);
}

export function endedOf(row: Row): EndedRecord {
  const { result, ...rest } = row;
  return { ...recordOf(rest), end: (result ?? undefined) as JobEnd | undefined };
}

function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
