import type { Clock, Timer } from '@gantry/mcp-core';
import type { RedisClients } from '../../infra/redis/redis-clients.js';
import { type Admission, admit, giveBack, PLACES_KEPT_MS, type RateAsk, setHeld } from './limit-scripts.js';

export interface RedisPlacesOptions {
  readonly redis: Pick<RedisClients, 'commands' | 'up'>;
  readonly nodeId: string;
  readonly clock: Clock;
  /** Whether a node is known to be gone: its places are free. */
  readonly isGone: (node: string) => boolean;
  /** Told of the first failure of an outage. */
  readonly onFault: (error: unknown) => void;
}

interface Count {
  /** Places held here. */
  held: number;
  /** Commands under way that add to what Redis has counted, or take from it. */
  underWay: number;
  /** Told when none is under way any more. */
  whenQuiet: (() => void) | undefined;
  /** Redis counts places of this node. */
  told: boolean;
  /** The whole count is being told: whatever adds to it waits. */
  telling: Telling | undefined;
}

interface Telling {
  done: Promise<void>;
  /** The count has left this node. */
  sent: boolean;
}

const MEND_MS = 1_000;
const MENDED_AT_ONCE = 500;

/**
 * Places of which there are so many over all nodes, by name. The truth of each node is its own count; Redis has the
 * sum. What could not be said while Redis was away is said when it is back, so no place is lost for good.
 */
export class RedisPlaces {
  private readonly counts = new Map<string, Count>();
  private readonly doubtful = new Set<string>();
  private mending: Timer | undefined;
  private renewing: Timer | undefined;
  private failing = false;
  private closed = false;

  constructor(private readonly options: RedisPlacesOptions) {}

  /** Takes a place if there is one, and calls of a rate with it. @throws when Redis does not answer */
  async enter(name: string, max: number, rate?: RateAsk): Promise<Admission> {
    const { redis, nodeId: node, isGone } = this.options;
    let count = this.countOf(name);
    const unknown = (!count.told && count.held > 0) || this.doubtful.has(name);
    if (unknown && count.telling === undefined) this.tell(name, count);
    while (count.telling !== undefined) {
      // Nobody is let in by a count that lacks what is held here.
      await count.telling.done;
      count = this.countOf(name);
    }
    count.told = true;
    const ask = (gone: readonly string[]) => admit(redis.commands, name, { node, max, gone }, rate);
    return this.during(name, count, async () => {
      let answer = await ask([]);
      if (answer.kind === 'no place') {
        const gone = answer.nodes.filter((other) => other !== node && isGone(other));
        if (gone.length > 0) answer = await ask(gone);
      }
      if (answer.kind === 'admitted') {
        count.held += 1;
        // The limit was lifted meanwhile.
        if (!count.told) this.doubt(name);
      }
      return answer;
    });
  }

  /** Takes calls of a rate, and no place. @throws when Redis does not answer */
  enterRate(name: string, rate: RateAsk): Promise<Admission> {
    return this.told(() => admit(this.options.redis.commands, name, undefined, rate));
  }

  /** Takes a place that no limit asks for: known here, and told with the next one that has a limit. */
  enterUnasked(name: string): void {
    const count = this.countOf(name);
    count.held += 1;
    if (!count.told) return;
    if (count.telling === undefined) this.untell(name, count);
    else this.doubt(name);
  }

  leave(name: string): void {
    const count = this.counts.get(name);
    if (count === undefined || count.held === 0) return;
    count.held -= 1;
    if (!count.told) return this.forgetIfIdle(name, count);
    const { telling } = count;
    // A count that is yet to be told is without it already.
    if (telling !== undefined && !telling.sent) return;
    const { redis, nodeId } = this.options;
    this.during(name, count, async () => {
      if (telling !== undefined) await telling.done;
      await giveBack(redis.commands, name, nodeId);
    }).catch(() => {
      // Said, and to be made good, by then.
    });
  }

  /** What Redis has counted may be wrong: it or the other nodes have forgotten, or this node was silent for long. */
  doubtAll(): void {
    for (const [name, { told }] of this.counts) if (told) this.doubtful.add(name);
    this.mendSoon();
  }

  close(): void {
    this.closed = true;
    this.mending?.cancel();
    this.renewing?.cancel();
  }

  private async during<T>(name: string, count: Count, work: () => Promise<T>): Promise<T> {
    count.underWay += 1;
    this.renewing ??= this.options.clock.setTimer(PLACES_KEPT_MS / 4, () => this.renew());
    try {
      return await this.told(work);
    } catch (error) {
      // It may have been carried out all the same.
      this.doubt(name);
      throw error;
    } finally {
      count.underWay -= 1;
      if (count.underWay === 0) count.whenQuiet?.();
      this.forgetIfIdle(name, count);
    }
  }

  /** The limit was lifted: Redis need not count what it would count wrong from here on. */
  private untell(name: string, count: Count): void {
    const { redis, nodeId } = this.options;
    count.told = false;
    this.during(name, count, () => setHeld(redis.commands, name, nodeId, 0)).catch(() => {
      // Said, and to be made good, by then.
    });
  }

  /** Tells the whole count, once nothing is under way that would be counted twice or not at all. */
  private tell(name: string, count: Count): void {
    const over = () => {
      count.telling = undefined;
      this.forgetIfIdle(name, count);
    };
    const telling: Telling = { done: Promise.resolve(), sent: false };
    count.telling = telling;
    count.told = true;
    telling.done = this.tellWhenQuiet(name, count, telling);
    telling.done.then(over, () => {
      this.doubt(name);
      over();
    });
  }

  private async tellWhenQuiet(name: string, count: Count, telling: Telling): Promise<void> {
    const { redis, nodeId } = this.options;
    if (count.underWay > 0) await new Promise<void>((resolve) => (count.whenQuiet = resolve));
    count.whenQuiet = undefined;
    this.doubtful.delete(name);
    telling.sent = true;
    await this.told(() => setHeld(redis.commands, name, nodeId, count.held));
  }

  private doubt(name: string): void {
    this.doubtful.add(name);
    this.mendSoon();
  }

  private async told<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      this.failing = false;
      return result;
    } catch (error) {
      if (!this.failing) this.options.onFault(error);
      this.failing = true;
      throw error;
    }
  }

  private countOf(name: string): Count {
    let count = this.counts.get(name);
    if (count === undefined)
      this.counts.set(name, (count = { held: 0, underWay: 0, whenQuiet: undefined, told: false, telling: undefined }));
    return count;
  }

  private forgetIfIdle(name: string, { held, underWay, telling }: Count): void {
    const idle = held === 0 && underWay === 0 && telling === undefined;
    if (idle && !this.doubtful.has(name)) this.counts.delete(name);
  }

  private mendSoon(): void {
    if (this.closed || this.doubtful.size === 0) return;
    this.mending ??= this.options.clock.setTimer(MEND_MS, () => {
      this.mending = undefined;
      if (this.options.redis.up()) this.mend();
      this.mendSoon();
    });
  }

  private mend(): void {
    let room = MENDED_AT_ONCE;
    for (const name of this.doubtful) {
      const count = this.countOf(name);
      if (count.telling !== undefined) continue;
      this.tell(name, count);
      room -= 1;
      if (room === 0) return;
    }
  }

  /** Places held for longer than Redis keeps them are told anew in time. */
  private renew(): void {
    this.renewing = undefined;
    this.doubtAll();
    if (!this.closed && this.counts.size > 0) {
      this.renewing = this.options.clock.setTimer(PLACES_KEPT_MS / 4, () => this.renew());
    }
  }
}
