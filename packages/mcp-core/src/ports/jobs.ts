import type { RequestId } from '../jsonrpc/messages.js';
import type { ProgressToken } from '../jsonrpc/pending-requests.js';
import type { InputMethod, InputRequest, LogLevel, Tool, ToolOutcome } from '../protocol/types.js';
import type { CatalogueSnapshot, CatalogueTool } from './catalogue.js';
import type { SessionKey } from './session-store.js';
import type { ClientInfo, InputAnswer, Principal } from './tool-runner.js';

/*
 * A job is a tool call that runs outside the request that brought it, on whichever process has room. Its host keeps it
 * durably; mcp-core submits it, runs it (`jobs/`) and says everything about it as its caller's revision has it.
 */

/** `call`: somebody waits for the answer on the request's own stream. `task`: the caller was given a handle. */
export type JobFace = 'call' | 'task';

/** `unknown`: it may have run to any point, and may not be repeated. The last four are ends, and stay. */
export type JobStatus = 'queued' | 'running' | 'input_required' | 'completed' | 'failed' | 'cancelled' | 'unknown';

export function isJobOver(status: JobStatus): boolean {
  return status !== 'queued' && status !== 'running' && status !== 'input_required';
}

/** Whether a call of a tool may be made again when nobody knows how far it came (schema: ToolAnnotations). */
export function mayRepeat({ annotations }: Tool): boolean {
  return annotations?.readOnlyHint === true || annotations?.idempotentHint === true;
}

/** Who may look at a job; everybody else is told what an unknown id is told. */
export interface JobOwner {
  readonly server: string;
  readonly owner: string;
}

/** What a job has to know of its call so that any process can run it. JSON throughout. */
export interface JobCaller {
  /** `revision` is the one everything about the job is said in. */
  readonly client: ClientInfo;
  readonly principal: Principal;
  readonly sessionId?: string;
  readonly requestId: RequestId;
  readonly progressToken?: ProgressToken;
  /** The least severe log message the call wants; none without. */
  readonly logThreshold?: LogLevel;
  /** Why the client cannot be asked anything on the call's own stream. */
  readonly unaskable?: string;
  /** Foreign `_meta` of the request. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/**
 * The stream of the event log on which a job says what it has to say while it runs. With `answers` the stream is the
 * call's own: the answer is its last event, and ends it.
 */
export interface ReplyStream {
  readonly key: SessionKey;
  readonly stream: string;
  readonly answers: boolean;
}

/** What the rounds of questions before left for a job's next run. JSON. */
export interface JobRounds {
  /** Rounds asked so far. */
  readonly round: number;
  readonly answers: Readonly<Record<string, InputAnswer>>;
  /** Bare results of the last round alone. */
  readonly responses?: Readonly<Record<string, unknown>>;
  readonly kept: Readonly<Record<string, unknown>>;
  readonly requestState?: unknown;
  /** While it waits for answers: what was asked, by the keys of `Job.questions`, and how many keys there have been. */
  readonly asked?: Readonly<Record<string, JobQuestion>>;
  readonly count?: number;
}

/** A question as far as its answer is judged by it, and the key that the run knows it by. */
export interface JobQuestion {
  readonly key: string;
  readonly method: InputMethod;
  readonly schema?: Readonly<Record<string, unknown>>;
}

export interface JobSubmission extends JobOwner {
  readonly snapshot: CatalogueSnapshot;
  readonly tool: CatalogueTool;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly caller: JobCaller;
  readonly face: JobFace;
  /** None for a task of 2026-07-28, which is only looked at. */
  readonly reply?: ReplyStream;
  readonly rounds?: JobRounds;
  /** How long the client asked for the result to be kept, in milliseconds. */
  readonly ttlMs?: number;
  /**
   * The caller's name for this very call (`dev.gantry/idempotencyKey`), 1 to 280 characters. Within its time it is one of
   * this server, owner and tool: the same arguments join the job that has it, however that ended; others are refused.
   */
  readonly idempotencyKey?: string;
}

/** How a job ended: with the tool's outcome, checked against its schema; with a protocol error; or with questions handed back. */
export type JobEnd =
  | { readonly outcome: ToolOutcome }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }
  /** The result of a `call` of 2026-07-28 that asks (`input_required`), as its revision carries it. */
  | { readonly handedBack: Readonly<Record<string, unknown>> };

/** A job as its owner may see it. Times are milliseconds since the Unix epoch. */
export interface Job {
  /** At least 128 bits that nobody can guess. */
  readonly id: string;
  readonly tool: string;
  readonly face: JobFace;
  readonly status: JobStatus;
  /** For people: place in the queue, what is being done, why it failed. */
  readonly statusMessage?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Kept for this long after `createdAt`; null: without a limit of its own. */
  readonly ttlMs: number | null;
  /** With `input_required`: what has no answer yet, by keys that are not used again in the job's life. */
  readonly questions?: Readonly<Record<string, InputRequest>>;
  /** With a status that is an end; `unknown` and `cancelled` may have an outcome that says so. */
  readonly end?: JobEnd;
}

export interface Submitted {
  readonly job: Job;
  /** The same call was submitted before under this idempotency key: this is that job, and nothing new will run. */
  readonly joined: boolean;
}

/**
 * The host's jobs. Each change of a job's status, message or questions is told on the `ChangeBus` of its server as
 * `{kind: 'task', id}` after it is stored, whichever process made it.
 */
export interface Jobs {
  /**
   * Stored durably when it resolves; runs when it has its turn.
   * @throws MCPError when it is refused: too many jobs, or -32602 for an idempotency key of other arguments
   */
  submit(submission: JobSubmission): Promise<Submitted>;
  /** Undefined for what is unknown, expired or somebody else's, here and below. */
  get(owner: JobOwner, id: string): Promise<Job | undefined>;
  /** Jobs with the face `task`, the newest first, strictly after the job with the id `after`. */
  list(owner: JobOwner, limit: number, after?: string): Promise<readonly Job[]>;
  /**
   * Stops it: what waits never runs, what runs is aborted within a second. Resolves with the job as it stands then,
   * which is as it was for one that is over.
   */
  cancel(owner: JobOwner, id: string, reason?: string): Promise<Job | undefined>;
  /** Answers open questions by key; unknown and answered keys are ignored. With the last one the job runs on. */
  answer(owner: JobOwner, id: string, answers: Readonly<Record<string, InputAnswer>>): Promise<Job | undefined>;
  /** Cancels the `call` of a session by the key of its request (`requestKey`), on whichever node it was submitted. */
  cancelCall(session: SessionKey, request: string, reason?: string): void;
}

/** One run of a job: what a process has claimed, and nobody else has. */
export interface JobRun extends JobOwner {
  readonly id: string;
  readonly snapshot: CatalogueSnapshot;
  readonly tool: CatalogueTool;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly caller: JobCaller;
  readonly face: JobFace;
  readonly reply?: ReplyStream;
  readonly rounds?: JobRounds;
  /** Counted from 1. A later attempt says no progress below what an earlier one has said. */
  readonly attempt: number;
  /** It may run once more when it is not known how far it came. */
  readonly repeatable: boolean;
}

/** How a run of a job came to its end. */
export type JobRunEnd =
  | { readonly kind: 'ended'; readonly end: JobEnd }
  /** It runs again from the top when these are answered; it holds nothing until then. */
  | { readonly kind: 'asks'; readonly questions: Readonly<Record<string, InputRequest>>; readonly rounds: JobRounds }
  | { readonly kind: 'cancelled' };
