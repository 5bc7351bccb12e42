import { MCP_CODES, MCPError } from '../jsonrpc/errors.js';
import type { Params } from '../jsonrpc/messages.js';
import { isJobOver, type Job, type JobRounds, type JobSubmission, type ReplyStream } from '../ports/jobs.js';
import type { ToolCall, ToolOutcome } from '../ports/tool-runner.js';
import { IDEMPOTENCY_KEY } from '../protocol/meta-keys.js';
import { rawProgressToken } from '../protocol/progress-token.js';
import type { ProgressToken } from '../protocol/types.js';
import type { JobPlan } from './job-plan.js';
import { jobsOf, unknownTask, watchJob } from './job-wait.js';
import type { Run } from './method.js';
import { invalidParams } from './request-context.js';
import { taskState } from './task-state.js';

export interface JobCall {
  readonly plan: JobPlan;
  readonly call: ToolCall;
  readonly rounds?: JobRounds | undefined;
  /** An outcome as the request's result. */
  finish(outcome: ToolOutcome): unknown;
}

/**
 * Runs a call outside its request. Its caller gets a task at once, or waits for the answer on the request's own stream;
 * either way the job is stored before anything is said of it.
 */
export async function callAsJob(run: Run, params: Params, job: JobCall): Promise<unknown> {
  const { plan } = job;
  const { desk, revision, server } = run.extra;
  const submit = async (reply: ReplyStream | undefined) => {
    const submitted = await jobsOf(run).submit(submission(run, params, job, reply));
    if (!submitted.joined) desk?.submitted(submitted.job.id);
    return submitted;
  };
  if (plan.face === 'task') {
    const { job: made, joined } = await submit(desk?.notices);
    if (made.face === 'call') return endOfOlderCall(run, made, job);
    const created = revision.tasks?.created(taskState(joined ? made : begun(made)));
    return { ...revision.envelope(server.implementation), ...created };
  }
  if (desk === undefined) throw new MCPError(MCP_CODES.INTERNAL_ERROR, 'Jobs are not served on this connection');
  const relayed = await desk.relay(submit, run.signal, plan.idempotencyKey !== undefined);
  if (relayed.kind === 'answer') return relayed.result;
  return relayed.kind === 'joined' ? endOf(run, relayed.job, job) : undefined;
}

/** Every task begins as one that is worked on, however soon it has come further. */
function begun({ end: _, questions: __, ...job }: Job): Job {
  return { ...job, status: 'queued' };
}

/** The same call was made before, and not as a task: where the server decides, its end is an answer as good. */
function endOfOlderCall(run: Run, made: Job, job: JobCall): Promise<unknown> {
  if (run.extra.revision.tasks?.decidedBy === 'server') return endOf(run, made, job);
  throw invalidParams(`_meta["${IDEMPOTENCY_KEY}"] was used for a call that is no task`);
}

/** The result of a call by the end of its job; waits for it. */
async function endOf(run: Run, { id }: Job, { finish }: JobCall): Promise<unknown> {
  const job = await watchJob(run, id, ({ status }) => isJobOver(status));
  if (job === undefined) throw unknownTask();
  const { end } = job;
  if (end === undefined) throw invalidParams(`_meta["${IDEMPOTENCY_KEY}"] was used for a call that was cancelled`);
  if ('error' in end) throw new MCPError(end.error.code, end.error.message, end.error.data);
  if ('outcome' in end) return finish(end.outcome);
  if (run.extra.revision.era === 'stateless') return end.handedBack;
  throw invalidParams(`_meta["${IDEMPOTENCY_KEY}"] was used for a call of another revision, which asks its caller`);
}

/**
 * A call that handed its questions back has ended with them, for whoever sends it again; the retry that brings the
 * answers is a call of its own under the same key. No key has the character that tells them apart.
 */
function roundKey(key: string, rounds: JobRounds | undefined): string {
  return rounds === undefined || rounds.round === 0 ? key : `${key}\n${rounds.round}`;
}

function submission(
  run: Run,
  params: Params,
  { plan, call, rounds }: JobCall,
  reply: ReplyStream | undefined,
): JobSubmission {
  const { host, client, session, desk, logThreshold, server } = run.extra;
  const { face, ttlMs, idempotencyKey } = plan;
  const progressToken = rawProgressToken(params) as ProgressToken | undefined;
  const unaskable = face === 'call' ? desk?.unaskable : undefined;
  return {
    server: host.server,
    owner: host.owner,
    snapshot: server.snapshot,
    tool: call.tool,
    arguments: call.arguments,
    caller: {
      client,
      principal: host.principal,
      requestId: run.id,
      ...(session && { sessionId: session.id }),
      ...(progressToken === undefined ? {} : { progressToken }),
      ...(logThreshold && { logThreshold }),
      ...(call.meta && { meta: call.meta }),
      ...(unaskable && { unaskable }),
    },
    face,
    ...(reply && { reply }),
    ...(rounds && { rounds }),
    ...(ttlMs === undefined ? {} : { ttlMs }),
    ...(idempotencyKey && { idempotencyKey: roundKey(idempotencyKey, rounds) }),
  };
}
