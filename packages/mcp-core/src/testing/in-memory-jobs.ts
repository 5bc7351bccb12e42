import { isDeepStrictEqual } from 'node:util';
import { answerJob, askJob, leaveUnanswered } from '../jobs/answer-job.js';
import { answeredRounds } from '../jobs/asked-rounds.js';
import type { JobServices } from '../jobs/job-services.js';
import { runJob } from '../jobs/run-job.js';
import { MCP_CODES, MCPError } from '../jsonrpc/errors.js';
import { requestKey } from '../jsonrpc/messages.js';
import type { ChangeBus } from '../ports/change-bus.js';
import {
  isJobOver,
  type Job,
  type JobEnd,
  type JobOwner,
  type JobRounds,
  type JobRunEnd,
  type JobStatus,
  type JobSubmission,
  type Jobs,
  mayRepeat,
  type Submitted,
} from '../ports/jobs.js';
import type { SessionKey } from '../ports/session-store.js';
import type { InputAnswer } from '../ports/tool-runner.js';
import type { InputRequest } from '../protocol/types.js';

interface Kept {
  readonly id: string;
  readonly submission: JobSubmission;
  readonly createdAt: number;
  updatedAt: number;
  status: JobStatus;
  attempt: number;
  rounds: JobRounds | undefined;
  questions: Readonly<Record<string, InputRequest>> | undefined;
  end: JobEnd | undefined;
  running: AbortController | undefined;
}

/** Jobs of one process, run as soon as they are submitted. For tests: nothing of them is durable. */
export class InMemoryJobs implements Jobs {
  readonly #jobs = new Map<string, Kept>();
  /** While set, what is submitted waits. */
  held = false;
  /** While set, no change is told: what a process stores and then dies with. */
  silent = false;

  constructor(
    private readonly services: JobServices,
    private readonly changes: ChangeBus,
  ) {}

  /** Of all jobs, in the order in which they were submitted. */
  get ids(): string[] {
    return [...this.#jobs.keys()];
  }

  async submit(submission: JobSubmission): Promise<Submitted> {
    const before = this.#under(submission);
    if (before !== undefined) {
      if (!isDeepStrictEqual(before.submission.arguments, submission.arguments)) {
        throw new MCPError(MCP_CODES.INVALID_PARAMS, 'This idempotency key was used with other arguments');
      }
      return { job: shown(before), joined: true };
    }
    const now = this.services.clock.now();
    const kept: Kept = {
      id: this.services.ids.next(),
      submission,
      createdAt: now,
      updatedAt: now,
      status: 'queued',
      attempt: 0,
      rounds: submission.rounds,
      questions: undefined,
      end: undefined,
      running: undefined,
    };
    this.#jobs.set(kept.id, kept);
    if (!this.held) void this.#run(kept);
    return { job: shown(kept), joined: false };
  }

  /** Runs what waits. */
  letGo(): void {
    this.held = false;
    for (const kept of this.#jobs.values()) if (kept.status === 'queued') void this.#run(kept);
  }

  async get(owner: JobOwner, id: string): Promise<Job | undefined> {
    const kept = this.#find(owner, id);
    return kept && shown(kept);
  }

  async list(owner: JobOwner, limit: number, after?: string): Promise<readonly Job[]> {
    const all = [...this.#jobs.values()]
      .filter((kept) => kept.submission.face === 'task' && owns(owner, kept))
      .reverse();
    const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
    return all.slice(from, from + limit).map(shown);
  }

  async cancel(owner: JobOwner, id: string, reason?: string): Promise<Job | undefined> {
    const kept = this.#find(owner, id);
    if (kept === undefined) return undefined;
    if (kept.running !== undefined) kept.running.abort(new Error(reason));
    else if (!isJobOver(kept.status)) await this.#settle(kept, { kind: 'cancelled' });
    return shown(kept);
  }

  async answer(owner: JobOwner, id: string, answers: Readonly<Record<string, InputAnswer>>): Promise<Job | undefined> {
    const kept = this.#find(owner, id);
    if (kept?.questions === undefined || kept.rounds === undefined) return kept && shown(kept);
    const { questions, rounds, changed } = answeredRounds(kept.questions, kept.rounds, answers);
    if (!changed) return shown(kept);
    kept.questions = questions;
    kept.rounds = rounds;
    if (questions === undefined) this.#change(kept, 'queued');
    else this.#change(kept, 'input_required');
    if (questions === undefined) void this.#run(kept);
    return shown(kept);
  }

  cancelCall(session: SessionKey, request: string, reason?: string): void {
    for (const kept of this.#jobs.values()) {
      const { caller, face } = kept.submission;
      const meant = face === 'call' && caller.sessionId === session.id && requestKey(caller.requestId) === request;
      if (meant && !isJobOver(kept.status)) void this.cancel(session, kept.id, reason);
    }
  }

  #find(owner: JobOwner, id: string): Kept | undefined {
    const kept = this.#jobs.get(id);
    return kept && owns(owner, kept) ? kept : undefined;
  }

  #under({ server, owner, tool, idempotencyKey }: JobSubmission): Kept | undefined {
    if (idempotencyKey === undefined) return undefined;
    return [...this.#jobs.values()].find(
      ({ submission }) =>
        submission.idempotencyKey === idempotencyKey &&
        submission.server === server &&
        submission.owner === owner &&
        submission.tool.definition.name === tool.definition.name,
    );
  }

  async #run(kept: Kept): Promise<void> {
    kept.running = new AbortController();
    kept.attempt++;
    this.#change(kept, 'running');
    const { submission, id, attempt, rounds } = kept;
    const repeatable = mayRepeat(submission.tool.definition);
    const run = { ...submission, id, attempt, repeatable, ...(rounds && { rounds }) };
    const end = await runJob(run, this.services, kept.running.signal);
    kept.running = undefined;
    await this.#settle(kept, end);
  }

  async #settle(kept: Kept, ended: JobRunEnd): Promise<void> {
    const job = { ...kept.submission, id: kept.id };
    if (ended.kind === 'asks') {
      kept.questions = ended.questions;
      kept.rounds = ended.rounds;
      this.#change(kept, 'input_required');
      return askJob(job, ended.questions, this.services);
    }
    if (ended.kind === 'cancelled') {
      this.#change(kept, 'cancelled');
      return leaveUnanswered(job, this.services);
    }
    kept.end = ended.end;
    const failed = 'error' in ended.end || ('outcome' in ended.end && ended.end.outcome.isError);
    this.#change(kept, failed ? 'failed' : 'completed');
    return answerJob(job, ended.end, this.services);
  }

  #change(kept: Kept, status: JobStatus): void {
    kept.status = status;
    kept.updatedAt = this.services.clock.now();
    if (!this.silent) this.changes.publish(kept.submission.server, { kind: 'task', id: kept.id });
  }
}

function owns({ server, owner }: JobOwner, { submission }: Kept): boolean {
  return submission.server === server && submission.owner === owner;
}

function shown({ id, submission, status, createdAt, updatedAt, questions, end }: Kept): Job {
  const { tool, face, ttlMs = null } = submission;
  return {
    id,
    tool: tool.definition.name,
    face,
    status,
    createdAt,
    updatedAt,
    ttlMs,
    ...(status === 'input_required' && questions && { questions }),
    ...(end && { end }),
  };
}
