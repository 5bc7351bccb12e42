import type { Clock, Logger, Timer } from '@gantry/mcp-core';
import type { NodeChannel } from '../nodes/node-channel.js';
import type { Database, Tx } from '../prisma/database.js';
import { IdGaps } from './id-gaps.js';

/** One row of the change log. */
export interface ChangeLogRow {
  readonly id: bigint;
  readonly tenantId: string | null;
  readonly kind: string;
  readonly subject: string;
}

export interface ChangeLogFollowerOptions {
  readonly database: Pick<Database, 'forPlatform'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn' | 'info' | 'error'>;
  /** Rings the other nodes when something has changed. A bell that is lost costs the time until their next poll. */
  readonly channel?: Pick<NodeChannel, 'broadcast' | 'on'>;
  /** Time between two reads; 500 by default. */
  readonly pollMs?: number;
  /** How long rows are kept; an hour by default. */
  readonly keepMs?: number;
}

const BELL = 'changes';
const PAGE = 500;
const PRUNES_PER_KEEP = 6;
// Longer than any transaction of ours may last (see Database and the pool's timeouts).
const LATE_COMMIT_MS = 60_000;
const GAPS_MAX = 5_000;
// Ids looked at when starting, to find those that are taken but not committed yet.
const START_LOOK_BACK = 1_000n;

/**
 * Follows the change log: every row reaches every listener of its kind once, at the latest one poll after its
 * transaction committed, in whatever order transactions commit. Rows from before `start` are not told.
 */
export class ChangeLogFollower {
  private readonly listeners = new Map<string, Set<(row: ChangeLogRow) => void>>();
  private readonly lostListeners = new Set<() => void>();
  private ids: IdGaps | undefined;
  private timer: Timer | undefined;
  private reading: Promise<void> | undefined;
  private following: Promise<void> | undefined;
  private failing = false;
  private goodAt = Number.NEGATIVE_INFINITY;
  private prunedAt = Number.NEGATIVE_INFINITY;
  private stopHearing: (() => void) | undefined;

  constructor(private readonly options: ChangeLogFollowerOptions) {}

  /** When the last read that succeeded began, by the clock; minus infinity before the first. */
  get lastGoodReadAt(): number {
    return this.goodAt;
  }

  /** Calls `listener` for each row of a kind; returns the function that ends it. A throwing listener hurts no other. */
  on(kind: string, listener: (row: ChangeLogRow) => void): () => void {
    const all = this.listeners.get(kind) ?? new Set();
    this.listeners.set(kind, all);
    all.add(listener);
    return () => void all.delete(listener);
  }

  /**
   * Calls `listener` when rows may have been missed, because none could be read for too long: drop every cache. Told when
   * they can be read again; until then the age of `lastGoodReadAt` says how stale caches are.
   */
  onLost(listener: () => void): () => void {
    this.lostListeners.add(listener);
    return () => void this.lostListeners.delete(listener);
  }

  /** Takes the position from which on rows are told. Fill no cache before. @throws when the database does not answer. */
  async start(): Promise<void> {
    if (this.ids) return;
    const now = this.options.clock.now();
    const ids = await this.read(async (tx) => {
      const [row] = await tx.$queryRaw<{ last: bigint }[]>`
        SELECT coalesce(pg_sequence_last_value('change_log_id_seq'::regclass), 0)::int8 AS last`;
      const last = row?.last ?? 0n;
      const first = last > START_LOOK_BACK ? last - START_LOOK_BACK : 0n;
      const committed = await tx.changeLogEntry.findMany({
        select: { id: true },
        where: { id: { gt: first, lte: last } },
      });
      const position = new IdGaps(first, LATE_COMMIT_MS, GAPS_MAX);
      position.advance(last, now);
      for (const { id } of committed) position.take(id, now);
      return position;
    });
    this.ids = ids;
    this.goodAt = now;
    this.stopHearing = this.options.channel?.on(BELL, () => void this.poll());
    this.schedule();
  }

  /** Ends the polling and waits for a read that is under way. */
  async stop(): Promise<void> {
    this.ids = undefined;
    this.stopHearing?.();
    this.timer?.cancel();
    await this.reading;
  }

  /** Rows of this node's have been committed: the other nodes read them at once, and this one before it resolves. */
  ring(): Promise<void> {
    this.options.channel?.broadcast(BELL, '');
    return this.poll();
  }

  /**
   * Reads what is new, at once; resolves when a read that began after this call has ended, whatever others ask
   * meanwhile. Never throws; the next poll makes good what fails.
   */
  poll(): Promise<void> {
    if (!this.ids) return Promise.resolve();
    if (this.reading) {
      this.following ??= this.reading.then(() => {
        this.following = undefined;
        return this.poll();
      });
      return this.following;
    }
    this.timer?.cancel();
    this.reading = this.pollOnce().finally(() => {
      this.reading = undefined;
      this.schedule();
    });
    return this.reading;
  }

  private async pollOnce(): Promise<void> {
    const startedAt = this.options.clock.now();
    try {
      const unreadMs = startedAt - this.goodAt;
      await this.readNew();
      this.goodAt = startedAt;
      // Not before there is something to fill caches with anew: until then what they hold is all there is.
      this.noticeLoss(unreadMs);
      if (this.failing) this.options.logger.info({}, 'the change log can be read again');
      this.failing = false;
      await this.pruneInTime(startedAt);
    } catch (error) {
      if (!this.failing) this.options.logger.warn({ err: error }, 'the change log could not be read');
      this.failing = true;
    }
  }

  private async readNew(): Promise<void> {
    const { ids } = this;
    for (let full = true; full && ids && ids === this.ids; ) {
      const missing = ids.missing(this.options.clock.now());
      const rows = await this.read((tx) =>
        tx.changeLogEntry.findMany({
          where: { OR: [{ id: { gt: ids.highest } }, ...(missing.length > 0 ? [{ id: { in: missing } }] : [])] },
          orderBy: { id: 'asc' },
          take: PAGE,
        }),
      );
      if (ids !== this.ids) return;
      const now = this.options.clock.now();
      for (const row of rows) if (ids.take(row.id, now)) this.tell(row);
      full = rows.length === PAGE;
    }
  }

  private tell(row: ChangeLogRow): void {
    for (const listener of this.listeners.get(row.kind) ?? []) {
      try {
        listener(row);
      } catch (error) {
        this.options.logger.error({ err: error, kind: row.kind }, 'a listener of the change log threw');
      }
    }
  }

  private noticeLoss(unreadMs: number): void {
    // Rows may have been pruned unread, and ids that came late forgotten.
    if (unreadMs < Math.min(this.keepMs / 2, LATE_COMMIT_MS)) return;
    this.options.logger.warn({ sinceMs: unreadMs }, 'the change log was unread for long: dropping all caches');
    for (const listener of this.lostListeners) {
      try {
        listener();
      } catch (error) {
        this.options.logger.error({ err: error }, 'a listener of the change log threw');
      }
    }
  }

  /** Any node may delete what every node has read long ago; the database's own clock decides. */
  private async pruneInTime(now: number): Promise<void> {
    if (now - this.prunedAt < this.keepMs / PRUNES_PER_KEEP) return;
    this.prunedAt = now;
    const seconds = this.keepMs / 1000;
    await this.read(
      (tx) => tx.$executeRaw`DELETE FROM change_log WHERE at < now() - make_interval(secs => ${seconds}::float8)`,
    );
  }

  private read<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.options.database.forPlatform().transaction(work);
  }

  private schedule(): void {
    this.timer?.cancel();
    if (this.ids) this.timer = this.options.clock.setTimer(this.options.pollMs ?? 500, () => void this.poll());
  }

  private get keepMs(): number {
    return this.options.keepMs ?? 3_600_000;
  }
}
