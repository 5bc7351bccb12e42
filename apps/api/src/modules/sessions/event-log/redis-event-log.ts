import type { Clock, EventLog, LiveNodes, Replay, SessionKey, StreamFollower, StreamSpec } from '@gantry/mcp-core';
import type { NodeChannel } from '../../../infra/nodes/node-channel.js';
import type { RedisClients } from '../../../infra/redis/redis-clients.js';
import { sessionTag } from '../session-keys.js';
import { BELL_TOPIC, parseBell } from './bell.js';
import { LocalStream } from './local-stream.js';
import { type LogMeter, UNCOUNTED } from './log-meter.js';
import { LogRedis } from './log-redis.js';
import {
  appendOperation,
  endOperation,
  followOperation,
  lastOperation,
  type Operation,
  openOperation,
  readOperation,
  replayOf,
} from './operations.js';
import { retrying } from './retry.js';
import type { StreamContext } from './stream-context.js';
import { streamId } from './stream-id.js';
import { TailChecks } from './tail-checks.js';

/** How long a write is tried again while Redis is away. */
const DEADLINE_MS = 30_000;
/** What may wait for Redis on all streams of a node. */
const WAITING_BYTES = 256 * 1024 * 1024;

export interface RedisEventLogOptions {
  readonly redis: Pick<RedisClients, 'commands'>;
  readonly channel: NodeChannel;
  readonly clock: Clock;
  readonly live: LiveNodes;
  readonly meter?: LogMeter;
  /** Told of an open that Redis did not take, which nobody waits for. */
  readonly onFault: (error: unknown) => void;
  readonly deadlineMs?: number;
}

/**
 * The log of all nodes, in Redis. What is added is there before it is told; pub/sub between the nodes only rings, and
 * what a lost bell has left out is read. While Redis is away, writes wait for it (30 s), and have their effect once.
 */
export class RedisEventLog implements EventLog {
  readonly #streams = new Map<string, LocalStream>();
  readonly #tags = new WeakMap<SessionKey, string>();
  readonly #redis: LogRedis;
  readonly #checks: TailChecks;
  readonly #context: StreamContext<LocalStream>;
  readonly #stops: readonly (() => void)[];
  #writes = 0;
  #waiting = 0;

  constructor(private readonly options: RedisEventLogOptions) {
    const { redis, channel, clock, live, meter = UNCOUNTED, deadlineMs = DEADLINE_MS } = options;
    this.#redis = new LogRedis(redis.commands, channel.nodeId);
    this.#checks = new TailChecks(clock, this.#redis);
    this.#context = {
      redis: this.#redis,
      clock,
      live,
      meter,
      deadlineMs,
      nextWrite: () => ++this.#writes,
      reserve: (bytes) => {
        if (this.#waiting > 0 && this.#waiting + bytes > WAITING_BYTES) return false;
        this.#waiting += bytes;
        return true;
      },
      release: (bytes) => {
        this.#waiting -= bytes;
      },
      shown: (stream, shown) => (shown ? this.#checks.add(stream) : this.#checks.remove(stream)),
      doubt: (stream) => this.#checks.doubt(stream),
      idle: (stream) => {
        if (this.#streams.get(stream.id.name) === stream) this.#streams.delete(stream.id.name);
      },
    };
    this.#stops = [
      channel.on(BELL_TOPIC, (body) => this.#rung(body)),
      channel.onGap(() => void this.#checks.all()),
      live.onGone((node) => this.#gone(node)),
    ];
  }

  /** Streams that are followed here. */
  get followers(): number {
    return this.#checks.size;
  }

  /** Streams that are written to or followed here. */
  get activeStreams(): number {
    return this.#streams.size;
  }

  /** Takes effect before whatever is wanted of the stream after it, with which it goes to Redis. */
  open(session: SessionKey, stream: string, spec: StreamSpec): void {
    const { onFault } = this.options;
    try {
      this.#stream(session, stream).add(openOperation(spec, onFault));
    } catch (error) {
      onFault(error);
    }
  }

  append(session: SessionKey, stream: string, data: string, last = false): Promise<number | undefined> {
    return this.#ask(session, stream, (settling) => appendOperation(data, last, settling));
  }

  end(session: SessionKey, stream: string): Promise<void> {
    return this.#ask(session, stream, endOperation);
  }

  last(session: SessionKey, stream: string): Promise<number | undefined> {
    return this.#ask(session, stream, lastOperation);
  }

  async readAfter(session: SessionKey, stream: string, sequence: number): Promise<Replay | undefined> {
    type Read = Parameters<typeof replayOf>[1];
    const read = await this.#ask<Read | undefined>(session, stream, (settling) => readOperation(sequence, settling));
    return read && replayOf(sequence, read);
  }

  follow(
    session: SessionKey,
    stream: string,
    sequence: number,
    follower: StreamFollower,
  ): Promise<(() => void) | undefined> {
    return this.#ask(session, stream, (settling) => followOperation(sequence, follower, settling));
  }

  async drop(session: SessionKey): Promise<void> {
    const tag = sessionTag(session);
    const { clock, meter, deadlineMs } = this.#context;
    const patient = { clock, deadlineMs, onRetry: () => meter.retried() };
    for (;;) {
      const { streams, more } = await retrying(() => this.#redis.drop(tag), patient);
      for (const stream of streams) this.#streams.get(streamId(tag, stream).name)?.dropped();
      if (!more) return;
    }
  }

  /** Hears and looks no more. */
  close(): void {
    for (const stop of this.#stops) stop();
    this.#checks.close();
  }

  #ask<T>(
    session: SessionKey,
    stream: string,
    make: (settling: { resolve: (value: T) => void; reject: (error: unknown) => void }) => Operation,
  ): Promise<T> {
    return new Promise((resolve, reject) => this.#stream(session, stream).add(make({ resolve, reject })));
  }

  #stream(session: SessionKey, stream: string): LocalStream {
    const id = streamId(this.#tag(session), stream);
    let local = this.#streams.get(id.name);
    if (local === undefined) {
      local = new LocalStream(id, this.#context);
      this.#streams.set(id.name, local);
    }
    return local;
  }

  /** A session's key is one object for as long as a node holds it, and its tag a hash. */
  #tag(session: SessionKey): string {
    const known = this.#tags.get(session);
    if (known !== undefined) return known;
    const tag = sessionTag(session);
    this.#tags.set(session, tag);
    return tag;
  }

  #rung(body: string): void {
    const rung = parseBell(body);
    if (rung !== undefined) this.#streams.get(rung.stream)?.ring(rung.bell);
  }

  #gone(node: string): void {
    for (const stream of [...this.#checks.streams]) if (stream.callNode === node) stream.answerForTheDead();
  }
}
