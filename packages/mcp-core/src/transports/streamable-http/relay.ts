import type { Relayed } from '../../dispatch/job-desk.js';
import { PreEncoded } from '../../jsonrpc/encode.js';
import { MCP_CODES, MCPError } from '../../jsonrpc/errors.js';
import type { JsonRpcResponse, RequestId } from '../../jsonrpc/messages.js';
import type { ServerSettings } from '../../ports/catalogue.js';
import type { StreamFollower } from '../../ports/event-log.js';
import { openIn } from '../../ports/event-log.js';
import type { Jobs, ReplyStream, Submitted } from '../../ports/jobs.js';
import type { EndpointServices } from './services.js';

/** A call that a job answers, as its exchange shows it. */
export interface RelayedCall {
  readonly server: string;
  readonly owner: string;
  readonly requestId: RequestId;
  readonly settings: ServerSettings;
  readonly jobs: Jobs;
  readonly signal: AbortSignal;
  /** Asked when the request is given up: whether the job goes on without it. */
  readonly outlives: () => boolean;
  submit(reply: ReplyStream): Promise<Submitted>;
  /** Something on its way to the client before the answer. */
  say(json: string, awaited: boolean): void;
}

/**
 * Relays a job over a stream that stands alone, to an exchange whose connection cannot be taken up elsewhere: what the
 * job says is said by the exchange, and its answer is the exchange's own.
 */
export async function relayAlone(services: EndpointServices, call: RelayedCall): Promise<Relayed> {
  const { server, owner, settings, signal } = call;
  const { eventLog, ids } = services;
  const key = { server, owner, id: ids.next(), alone: true } as const;
  const reply: ReplyStream = { key, stream: 'call', answers: true };
  await openIn(eventLog, key, reply.stream, settings);
  // Followed while the job is being stored: its first word finds its reader there.
  const answer = followed(services, call, reply);
  try {
    const { job, joined } = await submitFor(call, reply, () => void ended(services, reply));
    if (joined) return { kind: 'joined', job };
    const stopCancelling = cancelOn(call, job.id, signal);
    try {
      return await answer.relayed;
    } finally {
      stopCancelling();
      // Its caller was told that there will be no answer.
      if (answer.unread() && !call.outlives()) call.jobs.cancel(call, job.id, UNREAD).catch(() => undefined);
    }
  } finally {
    answer.drop();
  }
}

/** Leaves no stream behind that nobody will speak on; a log that is away forgets it by itself. */
async function ended({ eventLog, logger }: EndpointServices, { key, stream }: ReplyStream): Promise<void> {
  try {
    await eventLog.end(key, stream);
  } catch (error) {
    logger.warn({ stream: key.id, error: String(error) }, 'the stream of a call without a job could not be ended');
  }
}

/** @param dismiss called when the submission is refused, or joins another: no job will say anything on the stream */
export async function submitFor(
  call: Pick<RelayedCall, 'submit'>,
  reply: ReplyStream,
  dismiss: () => void,
): Promise<Submitted> {
  let submitted: Submitted | undefined;
  try {
    submitted = await call.submit(reply);
    return submitted;
  } finally {
    if (submitted === undefined || submitted.joined) dismiss();
  }
}

/** Cancels a job when its request is given up; gives what ends that. */
export function cancelOn(
  { jobs, server, owner, outlives }: Pick<RelayedCall, 'jobs' | 'server' | 'owner' | 'outlives'>,
  jobId: string,
  signal: AbortSignal,
): () => void {
  const cancel = () => {
    if (outlives()) return;
    const { message } = signal.reason instanceof Error ? signal.reason : new Error('The request was cancelled');
    jobs.cancel({ server, owner }, jobId, message).catch(() => undefined);
  };
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
  return () => signal.removeEventListener('abort', cancel);
}

/** What a caller is told whose job's stream has ended without an answer. */
export const GONE = 'Outcome unknown: the job of this call was cancelled, or what it said is lost';
const UNREAD = 'What the job of this call says cannot be read at the moment';

/** Says what comes on a job's stream to its call. `drop` ends that, whatever became of it. */
function followed(
  { eventLog, logger }: EndpointServices,
  { requestId, signal, say }: RelayedCall,
  { key, stream }: ReplyStream,
): { relayed: Promise<Relayed>; unread(): boolean; drop(): void } {
  let resolve: (relayed: Relayed) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const relayed = new Promise<Relayed>((fulfil, refuse) => {
    [resolve, reject] = [fulfil, refuse];
  });
  // Whoever waits for it hears of it; a submission that was refused has left nobody.
  relayed.catch(() => undefined);
  let stop: (() => void) | undefined;
  let over = false;
  let unread = false;
  const drop = () => {
    over = true;
    signal.removeEventListener('abort', aborted);
    stop?.();
  };
  const settle = (finish: () => void) => {
    if (over) return;
    drop();
    finish();
  };
  const aborted = () =>
    settle(() => reject(new MCPError(MCP_CODES.REQUEST_CANCELLED, 'The job of this call was cancelled')));
  /** The stream has ended without an answer: by a cancel, or because the log has lost it. */
  const gone = () => lost(new MCPError(MCP_CODES.INTERNAL_ERROR, GONE));
  const lost = (error: unknown) =>
    settle(() => {
      unread = true;
      reject(error);
    });
  const follower: StreamFollower = {
    event: ({ data }) => {
      if (over) return;
      const answer = answerIn(data);
      if (answer === undefined) say(data, !data.startsWith(NOTIFICATION));
      else settle(() => finish(answer, data, requestId, resolve, reject));
    },
    gap: () => logger.warn({ stream: key.id }, 'what a job said is no longer kept: its caller misses some of it'),
    end: gone,
    taken: gone,
  };
  signal.addEventListener('abort', aborted, { once: true });
  Promise.resolve(eventLog.follow(key, stream, 0, follower)).then(
    (following) => {
      if (following === undefined) lost(new MCPError(MCP_CODES.INTERNAL_ERROR, UNREAD));
      else if (over) following();
      else stop = following;
    },
    (error) => lost(error),
  );
  return { relayed, unread: () => unread, drop };
}

/** What notifications of ours begin with. */
const NOTIFICATION = '{"jsonrpc":"2.0","method"';

/** The response that a message of a job's stream is; undefined for what comes before it. */
export function answerIn(data: string): JsonRpcResponse | undefined {
  if (data.startsWith(NOTIFICATION)) return undefined;
  const message = JSON.parse(data) as JsonRpcResponse | { method: string };
  return 'method' in message ? undefined : message;
}

function finish(
  answer: JsonRpcResponse,
  data: string,
  requestId: RequestId,
  resolve: (relayed: Relayed) => void,
  reject: (error: unknown) => void,
): void {
  if ('error' in answer) {
    const { code, message, data: details } = answer.error;
    return reject(new MCPError(code, message, details));
  }
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(requestId)},"result":`;
  const result = data.startsWith(head) ? new PreEncoded(data.slice(head.length, -1)) : answer.result;
  resolve({ kind: 'answer', result });
}
