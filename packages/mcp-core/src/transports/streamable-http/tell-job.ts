import { questionOf } from '../../dispatch/question-id.js';
import { isRequestId, type JsonRpcMessage, requestKey } from '../../jsonrpc/messages.js';
import type { Jobs } from '../../ports/jobs.js';
import type { SessionKey } from '../../ports/session-store.js';
import type { InputAnswer } from '../../ports/tool-runner.js';

/**
 * Takes what a session's client says to a job that no node holds a request for: the answer to one of its questions. A
 * cancel is told as well, since its call may have come to another node; it then goes on to those requests that are here.
 * @returns a promise when the message was for a job and for nobody else; it settles when it is stored
 */
export function tellJob(jobs: Jobs, message: JsonRpcMessage, session: SessionKey): Promise<void> | undefined {
  if ('method' in message) {
    if (message.method !== 'notifications/cancelled') return undefined;
    const { requestId, reason } = message.params ?? {};
    if (isRequestId(requestId)) {
      jobs.cancelCall(session, requestKey(requestId), typeof reason === 'string' ? reason : undefined);
    }
    return undefined;
  }
  const question = questionOf(message.id);
  if (question === undefined) return undefined;
  const { server, owner } = session;
  return jobs.answer({ server, owner }, question.jobId, { [question.key]: answerOf(message) }).then(() => undefined);
}

function answerOf(message: Exclude<JsonRpcMessage, { method: string }>): InputAnswer {
  if ('result' in message) return { result: message.result };
  const { code, message: words } = message.error;
  return { error: { code, message: words } };
}
