import { type Clock, type JobRunEnd, MCP_CODES } from '@gantry/mcp-core';
import type { Log } from '../../../infra/tokens.js';
import type { JobEvents } from '../job-events.js';
import type { JobHandler } from '../job-handler.js';
import type { Claim, JobRepository } from '../store/job.repository.js';
import { storedEnd } from '../store/job-ends.js';
import type { JobRecord } from '../store/job-record.js';
import { pause } from './pause.js';
import { type Note, ProgressNotes } from './progress-notes.js';

/** A run that could not even begin is tried again so often, over all processes, and after this. */
const BEGINNINGS = 3;
const BEGIN_AGAIN_MS = 1_000;
/** Between two tries to store something, from the first to all later ones. */
const STORE_AGAIN_MS = 100;
const STORE_AGAIN_MAX_MS = 2_000;
/** Where the event log is away for longer, the keeper tells the caller later. */
const TELL_AGAIN_MS = [250, 1_000, 2_500];
/** SQLSTATE classes of what Postgres will never take: bad data, broken constraints, limits, faults of ours. */
const REFUSED = /^(22|23|42|54)...$/;

/** What a caller reads where the reason is ours alone. */
const FAILED: JobRunEnd = {
  kind: 'ended',
  end: { error: { code: MCP_CODES.INTERNAL_ERROR, message: 'Internal error' } },
};

export interface ClaimedRunOptions {
  readonly repository: JobRepository;
  readonly handler: JobHandler;
  readonly events: JobEvents;
  readonly clock: Clock;
  readonly log: Log;
  /** How long what is over is kept, in milliseconds. */
  readonly retentionMs: number;
  /** This process: what holds the claim. */
  readonly node: string;
  /** Whether what this process has claimed can be nobody else's yet. */
  readonly leaseStands: () => boolean;
}

/** One job that this process has claimed, from its claim to its end. */
export class ClaimedRun {
  private readonly controller = new AbortController();
  private readonly claim: Claim;
  private state: 'mine' | 'handed back' | 'lost' = 'mine';
  /** The tool has ended: whether that counts is for the row to say. */
  private ended = false;
  private abandoned = false;
  private settle = () => {};
  /** Resolves when nothing of it runs any more and its end is stored, or somebody else's. */
  readonly done = new Promise<void>((resolve) => {
    this.settle = resolve;
  });

  constructor(
    readonly job: JobRecord,
    private readonly options: ClaimedRunOptions,
  ) {
    this.claim = { id: job.id, node: options.node, attempt: job.attempts };
  }

  /** @throws what kept the end from being stored: the claim then stands, and nothing runs under it */
  async run(): Promise<void> {
    try {
      // An answer to the claim that came late: somebody may have given it up by now, or this process takes nothing more.
      if (this.state === 'handed back' || !this.options.leaseStands()) return await this.giveBack();
      this.options.events.tell(this.job);
      await this.runClaimed();
    } finally {
      this.settle();
    }
  }

  /** Resolves when the work has stopped. */
  async cancel(reason: string): Promise<void> {
    this.controller.abort(new Error(reason || 'The job was cancelled'));
    await this.done;
  }

  /** Stops it, for another process to run it again. */
  handBack(): void {
    if (this.state !== 'mine' || this.ended) return;
    this.state = 'handed back';
    this.controller.abort(new Error('The worker stops'));
  }

  /** What runs says nothing more, and its end is nobody's. */
  lose(why: string): void {
    if (this.state === 'lost' || this.ended) return;
    this.state = 'lost';
    this.options.log.warn({ job: this.job.id }, `a job was let go of: ${why}`);
    this.controller.abort(new Error(why));
  }

  /** The process stops: what could not be stored until now is not. */
  abandon(): void {
    this.lose('the worker stops');
    this.abandoned = true;
  }

  private async runClaimed(): Promise<void> {
    const { clock, repository, events } = this.options;
    const notes = new ProgressNotes(clock, async (done, total, message) => {
      if (!(await repository.progress(this.claim, done, total, message))) this.lose('its claim was taken');
      else events.tell(this.job);
    });
    const end = await this.begin(notes);
    const last = await notes.end();
    if (this.state === 'lost') return;
    this.ended = true;
    if (end === undefined || this.state === 'handed back') return this.giveBack();
    const stored = await this.store(end, last);
    if (stored === undefined) {
      this.options.log.warn({ job: this.job.id }, 'the end of a job was not stored: its claim was taken');
      return;
    }
    events.tell(stored.job);
    await this.tellCaller(stored.job, stored.end);
  }

  /** Undefined when it could not begin and is to be tried again. */
  private async begin(notes: ProgressNotes): Promise<JobRunEnd | undefined> {
    const { handler, leaseStands, log, clock } = this.options;
    const isMine = () => this.state === 'mine' && leaseStands();
    try {
      return await handler.run(this.job, this.controller.signal, isMine, (...said) => notes.note(...said));
    } catch (err) {
      log.error({ err, job: this.job.id }, 'a job could not begin');
      if (this.controller.signal.aborted) return { kind: 'cancelled' };
      if (this.job.attempts >= BEGINNINGS) return FAILED;
      await pause(clock, BEGIN_AGAIN_MS);
      return undefined;
    }
  }

  /** Gives the end as well that was stored: what Postgres will not take is an end of ours. */
  private async store(
    end: JobRunEnd,
    last: Note | undefined,
  ): Promise<{ readonly job: JobRecord; readonly end: JobRunEnd } | undefined> {
    const { repository, retentionMs, log } = this.options;
    const finish = async (as: JobRunEnd, note?: Note) => {
      let tries = 0;
      const finished = await this.insist(() => {
        tries += 1;
        return repository.finish(this.claim, as, retentionMs, note);
      });
      const job = finished ?? (tries > 1 ? await this.storedUnheard(as) : undefined);
      return job && { job, end: as };
    };
    try {
      return await finish(end, last);
    } catch (err) {
      if (this.abandoned) throw err;
      log.error({ err, job: this.job.id }, 'the end of a job cannot be stored as it is');
      return finish(FAILED);
    }
  }

  /** The row, where an earlier try has stored the end and only its answer was lost. */
  private async storedUnheard(end: JobRunEnd): Promise<JobRecord | undefined> {
    const row = await this.insist(() => this.options.repository.get(this.job.tenantId, this.job.id));
    const { node, attempt } = this.claim;
    const ours = row?.node === node && row.attempts === attempt && row.status === storedEnd(end).status;
    return ours ? row : undefined;
  }

  private async giveBack(): Promise<void> {
    const { repository, events, retentionMs } = this.options;
    const given = await this.insist(() => repository.handBack(this.claim, retentionMs));
    if (given === undefined) return;
    events.tell(given);
    if (given.status === 'cancelled') await this.tellCaller(given, { kind: 'cancelled' });
  }

  /** Postgres may be away for a moment; the claim in the row says whether what is written still counts. */
  private async insist<T>(write: () => Promise<T>): Promise<T> {
    for (let ms = STORE_AGAIN_MS; ; ms = Math.min(2 * ms, STORE_AGAIN_MAX_MS)) {
      try {
        return await write();
      } catch (err) {
        if (this.abandoned || REFUSED.test(String((err as { code?: unknown }).code))) throw err;
        this.options.log.warn({ err, job: this.job.id }, 'the end of a job is stored a moment later');
        await pause(this.options.clock, ms);
      }
    }
  }

  private async tellCaller(job: JobRecord, end: JobRunEnd): Promise<void> {
    const { handler, repository, clock, log } = this.options;
    if (job.status !== 'input_required') handler.ended(job, end.kind === 'ended' ? end.end : undefined);
    for (const ms of [...TELL_AGAIN_MS, undefined]) {
      try {
        if (job.status === 'cancelled') await handler.leave(job);
        else if (end.kind === 'asks') await handler.ask(job, end.questions);
        else if (end.kind === 'ended') await handler.answer(job, end.end);
        return await repository.answered(job);
      } catch (err) {
        log.warn({ err, job: job.id }, 'the caller of a job could not be told');
        if (ms === undefined || this.abandoned) return;
        await pause(clock, ms);
      }
    }
  }
}
