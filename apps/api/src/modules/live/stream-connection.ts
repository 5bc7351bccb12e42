import type { ServerResponse } from 'node:http';
import type { CloseFrame } from '@gantry/contracts';
import type { Clock, Timer } from '@gantry/mcp-core';
import type { FeedFrame, TopicFeed } from './topic-feed.js';

const HEARTBEAT_MS = 15_000;
/** A reader that is behind by this much has lost the thread: it is cut, and may come back for the rest. */
const QUEUED_BYTES = 1024 * 1024;

/** Where a reader stands in each feed, by the feed's epoch. */
export type Positions = ReadonlyMap<string, number>;

/** One reader of several topics, over server-sent events. */
export class StreamConnection {
  private readonly positions = new Map<string, number>();
  private readonly stops: (() => void)[] = [];
  private heartbeat: Timer | undefined;
  private over = false;
  /** Told once when nothing goes out any more, whoever ended it. */
  onOver: (() => void) | undefined;

  constructor(
    private readonly raw: ServerResponse,
    private readonly clock: Clock,
    requestId: string,
  ) {
    raw.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
    });
    raw.write('retry: 1000\n\n: open\n\n');
    raw.once('close', () => this.ended());
    if (raw.destroyed) this.ended();
    else this.beat();
  }

  /** Shows feeds, each from where the reader stands or from its beginning. */
  show(feeds: readonly TopicFeed[], from: Positions): void {
    for (const feed of feeds) {
      const stop = feed.listen((frame) => this.frame(feed.epoch, frame), from.get(feed.epoch));
      const at = from.get(feed.epoch);
      if (at !== undefined && !this.positions.has(feed.epoch)) this.positions.set(feed.epoch, at);
      if (this.over) stop();
      else this.stops.push(stop);
    }
  }

  /** Says why, and nothing more. */
  close(reason: CloseFrame['reason']): void {
    if (this.over) return;
    const frame: CloseFrame = { kind: 'close', reason };
    this.raw.end(`event: close\ndata: ${JSON.stringify(frame)}\n\n`);
    this.ended();
  }

  private frame(epoch: string, { kind, number, json }: FeedFrame): void {
    if (this.over) return;
    this.positions.set(epoch, number);
    this.write(`id: ${encodePositions(this.positions)}\nevent: ${kind}\ndata: ${json}\n\n`);
  }

  private write(text: string): void {
    this.raw.write(text);
    if (this.raw.writableLength <= QUEUED_BYTES) return;
    this.raw.destroy();
    this.ended();
  }

  private beat(): void {
    this.heartbeat = this.clock.setTimer(HEARTBEAT_MS, () => {
      this.write(': beat\n\n');
      if (!this.over) this.beat();
    });
  }

  private ended(): void {
    if (this.over) return;
    this.over = true;
    this.heartbeat?.cancel();
    for (const stop of this.stops.splice(0)) stop();
    this.onOver?.();
  }
}

function encodePositions(positions: Positions): string {
  return [...positions].map(([epoch, number]) => `${epoch}.${number}`).join(',');
}

/** What `Last-Event-ID` says; what it says of no feed of this node is not asked for. */
export function decodePositions(lastEventId: string | undefined): Positions {
  const positions = new Map<string, number>();
  for (const part of (lastEventId ?? '').slice(0, 4_096).split(',').slice(0, 64)) {
    const [, epoch, number] = /^([\w-]{8})\.(\d{1,15})$/.exec(part) ?? [];
    if (epoch !== undefined) positions.set(epoch, Number(number));
  }
  return positions;
}
