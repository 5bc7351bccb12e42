import type { Clock, Timer } from '@gantry/mcp-core';
import type { Hints } from './watch-board.js';

/** At most four frames a second. */
export const FRAME_EVERY_MS = 250;
/** Lost hints, and sessions that ended without a word, are made good this often. */
export const REFRESH_MS = 60_000;
/** A reader may be away for this long and go on. */
const LINGER_MS = 30_000;
/** After a source failed. */
const RETRY_MS = 1_000;
const FRAMES_KEPT = 100;
const BYTES_KEPT = 1024 * 1024;

/** Where the data of a topic comes from. Both may throw; then it is tried again with the next change. */
export interface FeedSource {
  /** All of it. */
  snapshot(): Promise<object>;
  /** What is new; undefined when there is nothing to say. */
  delta(hints: Hints): Promise<FeedDelta | undefined>;
}

export interface FeedDelta {
  readonly body: object;
  /** How many changes it shows one by one. */
  readonly shown: number;
  /** Some of it could not be learned: all is said anew, in a moment. */
  readonly partial?: boolean;
}

export interface FeedFrame {
  readonly kind: 'snapshot' | 'delta';
  readonly number: number;
  readonly json: string;
}

export type FrameListener = (frame: FeedFrame) => void;

export interface FeedOptions {
  readonly topic: string;
  /** Unlike that of any other feed that ever was: numbers are of this feed alone. */
  readonly epoch: string;
  readonly source: FeedSource;
  readonly clock: Clock;
  /** Begins to hear of changes; gives what ends it. */
  readonly watch: (listener: (hints: Hints) => void) => () => void;
  readonly onFault: (error: unknown) => void;
  /** Nobody has listened for a while. */
  readonly onIdle: () => void;
}

/**
 * One topic on one node, shared by all who read it here: a snapshot for who comes, then numbered deltas, merged so that
 * no reader gets more than four a second.
 */
export class TopicFeed {
  readonly epoch: string;
  private readonly listeners = new Set<FrameListener>();
  private readonly kept: FeedFrame[] = [];
  private readonly stopWatching: () => void;
  private keptBytes = 0;
  private number = 0;
  private pending: { items: Map<string, unknown>; count: number; overflow: boolean } | undefined;
  private due: Timer | undefined;
  private refreshing: Timer | undefined;
  private idle: Timer | undefined;
  private sentAt = Number.NEGATIVE_INFINITY;
  /** Snapshots and deltas are made one after the other, so that their numbers say what is in them. */
  private turn: Promise<unknown> = Promise.resolve();
  private closed = false;

  constructor(private readonly options: FeedOptions) {
    this.epoch = options.epoch;
    this.stopWatching = options.watch((hints) => this.changed(hints));
    this.refreshLater();
  }

  /**
   * Hears every frame from now on, after a snapshot; or goes on behind a number of this feed, if what came after it is
   * still kept. Returns what ends it.
   */
  listen(listener: FrameListener, after?: number): () => void {
    this.idle?.cancel();
    const stop = () => {
      if (this.listeners.delete(listener) && this.listeners.size === 0) this.idleLater();
    };
    const rest = after === undefined ? undefined : this.since(after);
    if (rest !== undefined) {
      for (const frame of rest) listener(frame);
      this.listeners.add(listener);
      return stop;
    }
    let left = false;
    let again: Timer | undefined;
    const begin = async () => {
      if (left) return;
      try {
        const frame = await this.snapshot();
        if (left) return;
        listener(frame);
        this.listeners.add(listener);
      } catch (error) {
        this.options.onFault(error);
        again = this.options.clock.setTimer(RETRY_MS, () => void this.inTurn(begin));
      }
    };
    void this.inTurn(begin);
    return () => {
      left = true;
      again?.cancel();
      stop();
      if (this.listeners.size === 0) this.idleLater();
    };
  }

  /** Ends what the feed holds; nobody is told anything more. */
  close(): void {
    this.closed = true;
    this.stopWatching();
    for (const timer of [this.due, this.refreshing, this.idle]) timer?.cancel();
    this.listeners.clear();
  }

  private changed({ items, count, overflow }: Hints): void {
    if (this.closed) return;
    this.pending ??= { items: new Map(), count: 0, overflow: false };
    for (const [id, value] of items) this.pending.items.set(id, value);
    this.pending.count += count;
    this.pending.overflow ||= overflow;
    if (this.due !== undefined) return;
    const wait = Math.max(0, this.sentAt + FRAME_EVERY_MS - this.options.clock.now());
    this.due = this.options.clock.setTimer(wait, () => void this.inTurn(() => this.sendDelta()));
  }

  private async sendDelta(): Promise<void> {
    const { pending } = this;
    this.due = undefined;
    this.pending = undefined;
    this.sentAt = this.options.clock.now();
    if (pending === undefined) return;
    if (pending.overflow) return this.resend();
    const told = await this.options.source.delta(pending).catch((error) => this.failed(error));
    if (told === undefined || this.closed) return;
    this.number += 1;
    const skipped = Math.max(0, pending.count - told.shown);
    const frame = this.frame('delta', { number: this.number, skipped, ...told.body });
    this.keep(frame);
    for (const listener of [...this.listeners]) listener(frame);
    if (told.partial) this.resendLater();
  }

  private failed(error: unknown): undefined {
    this.options.onFault(error);
    this.resendLater();
  }

  /** What was to be said is unknown now: all is said anew, in a moment. */
  private resendLater(): void {
    this.due?.cancel();
    this.pending = { items: new Map(), count: 0, overflow: true };
    this.due = this.options.clock.setTimer(RETRY_MS, () => void this.inTurn(() => this.sendDelta()));
  }

  /** More has changed than can be named, or may have changed unheard: everybody begins anew. */
  private async resend(): Promise<void> {
    this.sentAt = this.options.clock.now();
    this.number += 1;
    this.kept.length = 0;
    this.keptBytes = 0;
    const frame = await this.snapshot().catch((error) => this.failed(error));
    if (frame !== undefined) for (const listener of [...this.listeners]) listener(frame);
  }

  private async snapshot(): Promise<FeedFrame> {
    const body = await this.options.source.snapshot();
    return this.frame('snapshot', { number: this.number, skipped: 0, ...body });
  }

  private frame(kind: FeedFrame['kind'], body: { readonly number: number; readonly skipped: number }): FeedFrame {
    return { kind, number: body.number, json: JSON.stringify({ kind, topic: this.options.topic, ...body }) };
  }

  private keep(frame: FeedFrame): void {
    this.kept.push(frame);
    this.keptBytes += frame.json.length;
    while (this.kept.length > FRAMES_KEPT || (this.keptBytes > BYTES_KEPT && this.kept.length > 1)) {
      this.keptBytes -= this.kept.shift()?.json.length ?? 0;
    }
  }

  private since(after: number): readonly FeedFrame[] | undefined {
    if (after > this.number) return undefined;
    if (after === this.number) return [];
    const [first] = this.kept;
    if (first === undefined || first.number > after + 1) return undefined;
    return this.kept.filter(({ number }) => number > after);
  }

  private inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.turn.then(() => (this.closed ? undefined : work())).catch(this.options.onFault);
    this.turn = done;
    return done as Promise<void>;
  }

  private refreshLater(): void {
    this.refreshing = this.options.clock.setTimer(REFRESH_MS, () => {
      if (this.listeners.size > 0) void this.inTurn(() => this.resend());
      this.refreshLater();
    });
  }

  private idleLater(): void {
    this.idle?.cancel();
    this.idle = this.options.clock.setTimer(LINGER_MS, () => {
      if (this.listeners.size === 0) this.options.onIdle();
    });
  }
}
