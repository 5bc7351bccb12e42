import {
  type AnsweredJob,
  answerJob,
  answerWithError,
  askJob,
  type EventLog,
  type InputRequest,
  type JobEnd,
  type JobRunEnd,
  type JobServices,
  jobOutcomeUnknown,
  leaveUnanswered,
  MCP_CODES,
  type ProgressListener,
  passesLevel,
  runJob,
} from '@gantry/mcp-core';
import type { CallLog } from '../../modules/calls/call-log.js';
import type { JobHandler } from '../../modules/jobs/job-handler.js';
import type { JobRecord } from '../../modules/jobs/store/job-record.js';
import { serverKey } from '../../modules/tools/catalogue/snapshot.js';
import { type JobServers, ServerGone } from './job-servers.js';

/** Says nothing, and claims to have said it: for what runs on although its job is somebody else's by now. */
const UNHEARD: Pick<EventLog, 'append' | 'open' | 'end'> = { append: () => undefined, open() {}, end() {} };

export interface ToolJobsOptions {
  readonly servers: JobServers;
  readonly services: JobServices;
  readonly log: Pick<CallLog, 'record'>;
}

/** Runs tool calls as jobs, and speaks to their callers. */
export class ToolJobs implements JobHandler {
  constructor(private readonly options: ToolJobsOptions) {}

  async run(
    job: JobRecord,
    signal: AbortSignal,
    isMine: () => boolean,
    progressed: ProgressListener,
  ): Promise<JobRunEnd> {
    const snapshot = await this.options.servers.of(job);
    const found = snapshot.tools.find(({ definition }) => definition.name === job.tool);
    if (found === undefined) throw new Error(`the server has no tool ${job.tool}`);
    const tool = { ...found, timeoutMs: job.timeoutMs };
    const { id, owner, caller, face, reply, rounds, repeatable, attempts: attempt } = job;
    const services = { ...this.options.services, eventLog: whileMine(this.options.services.eventLog, isMine) };
    const run = {
      id,
      server: serverKey(job),
      owner,
      snapshot,
      tool,
      arguments: job.arguments,
      caller,
      face,
      attempt,
      repeatable,
      ...(reply && { reply }),
      ...(rounds && { rounds }),
    };
    return runJob(run, services, signal, progressed);
  }

  async answer(job: JobRecord, end: JobEnd): Promise<void> {
    if (!job.reply?.answers) return;
    const { services } = this.options;
    if ('error' in end) return answerWithError(job, end.error, services);
    const answered = await this.answered(job).catch((error) => {
      if (error instanceof ServerGone) return undefined;
      throw error;
    });
    if (answered !== undefined) return answerJob(answered, end, services);
    const error = {
      code: MCP_CODES.INTERNAL_ERROR,
      message: 'The server of this call is gone, and its answer with it',
    };
    return answerWithError(job, error, services);
  }

  async leave(job: JobRecord): Promise<void> {
    const { services } = this.options;
    const { cancelTold, cancelReason } = job;
    if (!cancelTold) return leaveUnanswered(job, services);
    const message = `The call was cancelled${cancelReason ? `: ${cancelReason}` : ''}`;
    await answerWithError(job, { code: MCP_CODES.INTERNAL_ERROR, message }, services);
  }

  async ask(job: JobRecord, questions: Readonly<Record<string, InputRequest>>): Promise<void> {
    if (job.reply?.answers) await askJob(await this.answered(job), questions, this.options.services);
  }

  async waits({ reply, caller }: JobRecord, place: number): Promise<void> {
    if (!reply?.answers || !passesLevel('info', caller.logThreshold)) return;
    const data = `Waiting: place ${place} in the queue`;
    const message = {
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level: 'info', logger: 'queue', data },
    };
    await this.options.services.eventLog.append(reply.key, reply.stream, JSON.stringify(message));
  }

  unknownEnd({ tool }: JobRecord): JobEnd {
    return { outcome: jobOutcomeUnknown(tool) };
  }

  ended(job: JobRecord, end?: JobEnd): void {
    const { caller, createdAt, finishedAt = new Date() } = job;
    const { client, sessionId, source = 'mcp' } = caller;
    const label = client.version === undefined ? client.name : `${client.name} ${client.version}`;
    this.options.log.record({
      tenantId: job.tenantId,
      server: job.server,
      finishedAt: finishedAt.getTime(),
      tool: job.tool,
      method: 'tools/call',
      status: callStatus(job, end),
      durationMs: finishedAt.getTime() - createdAt.getTime(),
      era: sessionId === undefined ? 'stateless' : 'session',
      ...(client.name && { client: label }),
      principal: job.principal,
      ...(sessionId && { sessionId }),
      jobId: job.id,
      source,
    });
  }

  /** The parts of it that its answer is made from; the tool may be gone, its result is not. */
  private async answered(job: JobRecord): Promise<AnsweredJob> {
    const snapshot = await this.options.servers.of(job);
    const found = snapshot.tools.find(({ definition }) => definition.name === job.tool);
    const tool = found ?? { definition: { name: job.tool, inputSchema: { type: 'object' as const } } };
    return { id: job.id, caller: job.caller, snapshot, tool, ...(job.reply && { reply: job.reply }) };
  }
}

/** Only a tool that ran and said so has failed: an error of the protocol is none of its own. */
function callStatus({ status }: JobRecord, end?: JobEnd): 'ok' | 'tool_error' | 'error' | 'cancelled' {
  if (status === 'completed') return 'ok';
  if (status === 'cancelled') return 'cancelled';
  return status === 'failed' && end !== undefined && 'outcome' in end ? 'tool_error' : 'error';
}

function whileMine(log: EventLog, isMine: () => boolean): EventLog {
  const now = () => (isMine() ? log : UNHEARD);
  return {
    open: (...given) => now().open(...given),
    append: (...given) => now().append(...given),
    end: (...given) => now().end(...given),
    last: (...given) => log.last(...given),
    readAfter: (...given) => log.readAfter(...given),
    follow: (...given) => log.follow(...given),
    drop: (...given) => log.drop(...given),
  };
}
