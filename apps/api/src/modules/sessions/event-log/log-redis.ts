import type { RedisCommands } from '../../../infra/redis/redis-clients.js';
import { sessionKeys, streamKeys } from '../session-keys.js';
import { Gate } from './gate.js';
import { DROP_SCRIPT, TAIL_SCRIPT, WRITE_SCRIPT } from './log-scripts.js';
import { namePrefix, type StreamId, scriptKeys } from './stream-id.js';

/**
 * An open stream that nobody writes to, reads or shows for this long is forgotten. Only what a session that ended
 * without a goodbye has left behind gets there: a living one's are dropped with it, and its standalone stream is opened
 * again whenever it is used.
 */
const OPEN_KEPT_MS = 24 * 60 * 60_000;
/** An ended stream stays readable for five minutes, and for as long as a slow clock may be behind. */
const ENDED_KEPT_MS = 5 * 60_000 + 10_000;
/** Events go with the bell up to this size altogether; longer ones are read by the node that shows the stream. */
const INLINE_BYTES = 8 * 1024;
/** Writes under way at once: of many thousand, the last would be given up before Redis has come to them. */
const WRITES_AT_ONCE = 512;
/** How many streams one command drops: Redis serves nobody else meanwhile. */
const DROP_MAX = 500;

/** What was kept of a stream after a position. */
export interface ReadReply {
  readonly status: number;
  /** Sequence of the first of `events`, or of the next one to come. */
  readonly first: number;
  readonly epoch: number;
  readonly callNode: string | undefined;
  /** The requests of the call, as JSON. */
  readonly requests: string | undefined;
  readonly events: readonly string[];
}

export interface WriteReply {
  /** What the write found, and the newest sequence then. */
  readonly state: number;
  readonly last: number;
  /** How often it had been settled which node shows the stream. */
  readonly epoch: number;
  readonly read: ReadReply | undefined;
}

/** How a stream stands. */
export interface Tail {
  readonly last: number;
  readonly ended: boolean;
  readonly holder: string | undefined;
  readonly epoch: number;
  readonly callNode: string | undefined;
}

type RawRead = [number, number, number, string | null, string | null, ...string[]];
type RawTail = [number, number, string | null, number, string | null];

interface Scripts {
  gantryLogWrite(...words: Array<string | number>): Promise<[number, number, number, (RawRead | null)?]>;
  gantryLogTails(...words: Array<string | number>): Promise<Array<RawTail | null>>;
  gantryLogDrop(...words: Array<string | number>): Promise<string[]>;
}

/** The commands of the log, as they go to Redis. */
export class LogRedis {
  readonly #scripts: Scripts;
  readonly #gate = new Gate(WRITES_AT_ONCE);
  /** How many streams one command may ask about: in a cluster each session lives in a slot of its own. */
  readonly tailsAtOnce: number;

  constructor(
    commands: RedisCommands,
    private readonly nodeId: string,
  ) {
    commands.defineCommand('gantryLogWrite', { lua: WRITE_SCRIPT, numberOfKeys: 4 });
    commands.defineCommand('gantryLogTails', { lua: TAIL_SCRIPT });
    commands.defineCommand('gantryLogDrop', { lua: DROP_SCRIPT, numberOfKeys: 1 });
    this.#scripts = commands as unknown as Scripts;
    this.tailsAtOnce = commands.isCluster ? 1 : 32;
  }

  /** @param number of the write; the same when it is tried again */
  write(id: StreamId, number: number, operations: readonly string[]): Promise<WriteReply> {
    return this.#gate.run(() => this.#write(id, number, operations));
  }

  /** @param ids at most `tailsAtOnce` */
  async tails(ids: readonly StreamId[]): Promise<Array<Tail | undefined>> {
    const keys = ids.flatMap((id) => scriptKeys(id));
    const tails = await this.#scripts.gantryLogTails(keys.length, ...keys, OPEN_KEPT_MS);
    return tails.map((tail) => (tail ? tailOf(tail) : undefined));
  }

  /** Forgets some streams of a session; gives their names, and whether there are more. */
  async drop(tag: string): Promise<{ readonly streams: readonly string[]; readonly more: boolean }> {
    const { meta, events } = streamKeys(tag, '');
    const { streams } = sessionKeys(tag);
    const dropped = await this.#scripts.gantryLogDrop(streams, this.nodeId, meta, events, namePrefix(tag), DROP_MAX);
    return { streams: dropped, more: dropped.length === DROP_MAX };
  }

  async #write(id: StreamId, number: number, operations: readonly string[]): Promise<WriteReply> {
    const [state, last, epoch, read] = await this.#scripts.gantryLogWrite(
      ...scriptKeys(id),
      this.nodeId,
      number,
      id.stream,
      id.name,
      OPEN_KEPT_MS,
      ENDED_KEPT_MS,
      INLINE_BYTES,
      ...operations,
    );
    return { state, last, epoch, read: read ? readReply(read) : undefined };
  }
}

function readReply([status, first, epoch, callNode, requests, ...events]: RawRead): ReadReply {
  return { status, first, epoch, callNode: callNode ?? undefined, requests: requests ?? undefined, events };
}

function tailOf([last, ended, holder, epoch, callNode]: RawTail): Tail {
  return { last, ended: ended === 1, holder: holder ?? undefined, epoch, callNode: callNode ?? undefined };
}
