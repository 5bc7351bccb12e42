import { questionId } from '../dispatch/question-id.js';
import { encodeToolResult } from '../dispatch/tool-result.js';
import { encodeMessage, PreEncoded } from '../jsonrpc/encode.js';
import { errorMessage, requestMessage, resultMessage } from '../jsonrpc/messages.js';
import { openIn } from '../ports/event-log.js';
import type { JobEnd, JobRun } from '../ports/jobs.js';
import type { InputRequest, Tool, ToolOutcome } from '../protocol/types.js';
import { wellFormed } from '../protocol/well-formed.js';
import { servedRevision } from '../wire/revisions.js';
import type { JobServices } from './job-services.js';

export type AnswerServices = Pick<JobServices, 'eventLog' | 'limits'>;
type JobError = Extract<JobEnd, { error: unknown }>['error'];
export type AnsweredJob = Pick<JobRun, 'id' | 'caller' | 'reply' | 'snapshot'> & {
  readonly tool: { readonly definition: Tool };
};

/** What the caller of a job reads when nobody knows how far it came. */
export function jobOutcomeUnknown(tool: string): ToolOutcome {
  const text = `Outcome unknown: the worker that ran tool ${tool} has stopped, and the tool may not be repeated`;
  return { content: [{ type: 'text', text }], isError: true };
}

/** The answer to a job's call, as one message of its caller's revision. */
export function answerText({ caller, tool, snapshot }: AnsweredJob, end: JobEnd, { limits }: AnswerServices): string {
  const { requestId, client } = caller;
  if ('error' in end) return errorText(caller, end.error);
  const revision = servedRevision(client.revision);
  if ('handedBack' in end) return wellFormed(encodeMessage(resultMessage(requestId, end.handedBack)));
  const { json } = encodeToolResult(tool.definition, end.outcome, {
    revision,
    server: snapshot.serverInfo,
    resultLength: limits.resultLength,
  });
  return encodeMessage(resultMessage(requestId, new PreEncoded(json)));
}

function errorText({ requestId, client }: JobRun['caller'], error: JobError): string {
  const { code, message, data } = servedRevision(client.revision).carriedError(error);
  return wellFormed(encodeMessage(errorMessage(requestId, code, message, data)));
}

/**
 * Answers whoever waits on the call's own stream, and ends that stream. To be called when the end is stored; a second
 * answer is not taken by the log, so whoever is not sure may answer again.
 */
export async function answerJob(job: AnsweredJob, end: JobEnd, services: AnswerServices): Promise<void> {
  const { reply } = job;
  if (reply?.answers !== true) return;
  await services.eventLog.append(reply.key, reply.stream, answerText(job, end, services), true);
}

/** As `answerJob` with an error, which takes nothing of the tool and its server: they may be gone. */
export async function answerWithError(
  { caller, reply }: Pick<JobRun, 'caller' | 'reply'>,
  error: JobError,
  { eventLog }: Pick<AnswerServices, 'eventLog'>,
): Promise<void> {
  if (reply?.answers) await eventLog.append(reply.key, reply.stream, errorText(caller, error), true);
}

/** Ends a call's stream without an answer: its request was cancelled. */
export async function leaveUnanswered(
  { reply }: Pick<JobRun, 'reply'>,
  { eventLog }: Pick<AnswerServices, 'eventLog'>,
): Promise<void> {
  if (reply?.answers) await eventLog.end(reply.key, reply.stream);
}

/** Asks the questions of a job on its call's own stream, each once. */
export async function askJob(
  job: AnsweredJob,
  questions: Readonly<Record<string, InputRequest>>,
  { eventLog }: AnswerServices,
): Promise<void> {
  const { reply } = job;
  if (reply?.answers !== true) return;
  await openIn(eventLog, reply.key, reply.stream, job.snapshot.settings);
  const said = await eventLog.readAfter(reply.key, reply.stream, 0);
  for (const [key, { method, params }] of Object.entries(questions)) {
    const id = questionId(job.id, key);
    if (said?.events.some(({ data }) => data.includes(JSON.stringify(id)))) continue;
    await eventLog.append(reply.key, reply.stream, wellFormed(encodeMessage(requestMessage(id, method, params))));
  }
}
