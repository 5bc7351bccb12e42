import { MCP_CODES, MCPError } from '../jsonrpc/errors.js';
import type { Params } from '../jsonrpc/messages.js';
import type { JobFace } from '../ports/jobs.js';
import { IDEMPOTENCY_KEY, isJsonObject } from '../protocol/meta-keys.js';
import { TASKS_EXTENSION } from '../protocol/tasks.js';
import type { ClientCapabilities } from '../protocol/types.js';
import { offers } from './capabilities.js';
import type { PreparedTool } from './prepared-server.js';
import { invalidParams, type RequestContext, refuse } from './request-context.js';

const MAX_KEY_LENGTH = 256;
/** A task is kept no longer than this, whatever its caller asks for: 30 days, in milliseconds. */
const TTL_MAX_MS = 2_592_000_000;
const UNFIT = /[\p{Cc}\p{Cs}]/u;

/** How a call is to run that does not run in its request. */
export interface JobPlan {
  readonly face: JobFace;
  readonly ttlMs?: number;
  readonly idempotencyKey?: string;
}

/**
 * Whether a call runs as a job, and whether its caller gets a task for it (tasks of 2025-11-25, and of 2026-07-28).
 * Undefined for what runs inline.
 * @throws MCPError -32601 for a call as a task of a tool that is none, and the other way round; -32021 for a client that
 * lacks the extension; -32602 for a bad idempotency key
 */
export function jobPlan({ catalogued }: PreparedTool, params: Params, extra: RequestContext): JobPlan | undefined {
  if (extra.host.jobs === undefined) return undefined;
  const idempotencyKey = keyOf(params);
  const { execution, stateful } = catalogued;
  if (idempotencyKey !== undefined && stateful) {
    throw invalidParams(
      `_meta["${IDEMPOTENCY_KEY}"] is not taken by a stateful tool, whose result depends on its turn`,
    );
  }
  const task = taskPlan(catalogued.definition.name, catalogued, params, extra);
  if (task !== undefined) return { ...task, ...(idempotencyKey && { idempotencyKey }) };
  if (execution === 'job') return { face: 'call', ...(idempotencyKey && { idempotencyKey }) };
  return idempotencyKey === undefined ? undefined : { face: 'call', idempotencyKey };
}

/** Whether the client of this request would take a task for an answer that nobody has asked for as one. */
export function takesTasks({ revision, client }: Pick<RequestContext, 'revision' | 'client'>): boolean {
  return revision.tasks?.decidedBy === 'server' && declaresTasks(client.capabilities);
}

/** Answered 400 to requests that need the extension of a client that has not declared it. */
export function requireTasks(extra: RequestContext, what: string): void {
  if (extra.revision.tasks?.decidedBy !== 'server' || declaresTasks(extra.client.capabilities)) return;
  refuse(extra, {
    status: 400,
    code: MCP_CODES.MISSING_REQUIRED_CLIENT_CAPABILITY,
    message: `${what} needs the extension ${TASKS_EXTENSION}, which the client has not declared`,
    data: { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } },
  });
}

function taskPlan(
  name: string,
  { execution, task = 'forbidden' }: PreparedTool['catalogued'],
  params: Params,
  extra: RequestContext,
): JobPlan | undefined {
  const decidedBy = extra.revision.tasks?.decidedBy;
  if (decidedBy === 'client') {
    const asked = params.task;
    if (asked === undefined || !offers(extra.host, 'tasks')) {
      if (task === 'required') throw notFound(`Tool ${name} can only be called as a task`);
      return undefined;
    }
    if (!isJsonObject(asked)) throw invalidParams('task must be an object');
    if (task === 'forbidden') throw notFound(`Tool ${name} cannot be called as a task`);
    return { face: 'task', ...ttlOf(asked.ttl) };
  }
  if (task === 'required') {
    if (decidedBy === undefined)
      throw notFound(`Tool ${name} can only be called as a task, which ${extra.revision.name} has not`);
    requireTasks(extra, `Tool ${name}`);
    return { face: 'task' };
  }
  return task === 'optional' && execution === 'job' && takesTasks(extra) ? { face: 'task' } : undefined;
}

function declaresTasks({ extensions }: ClientCapabilities): boolean {
  return isJsonObject(extensions?.[TASKS_EXTENSION]);
}

function ttlOf(ttl: unknown): { ttlMs?: number } {
  if (ttl === undefined || ttl === null) return {};
  if (typeof ttl !== 'number' || !Number.isFinite(ttl) || ttl < 0) {
    throw invalidParams('task.ttl must be a number of milliseconds');
  }
  return { ttlMs: Math.min(Math.round(ttl), TTL_MAX_MS) };
}

function keyOf({ _meta }: Params): string | undefined {
  const key = (_meta as Record<string, unknown> | undefined)?.[IDEMPOTENCY_KEY];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && key.length > 0 && key.length <= MAX_KEY_LENGTH && !UNFIT.test(key)) return key;
  const shape = `a string of 1 to ${MAX_KEY_LENGTH} characters, none of them a control character or half of one`;
  throw invalidParams(`_meta["${IDEMPOTENCY_KEY}"] must be ${shape}`);
}

function notFound(message: string): MCPError {
  return new MCPError(MCP_CODES.METHOD_NOT_FOUND, message);
}
