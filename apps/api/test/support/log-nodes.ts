import { randomUUID } from 'node:crypto';
import { type Clock, type LoggedEvent, type SessionKey, type StreamFollower, systemClock } from '@gantry/mcp-core';
import { MortalNodes } from '@gantry/mcp-core/testing';
import { createRedisClients, type RedisClients } from '../../src/infra/redis/redis-clients.js';
import { RedisNodeChannel } from '../../src/infra/redis/redis-node-channel.js';
import type { LogMeter } from '../../src/modules/sessions/event-log/log-meter.js';
import { RedisEventLog } from '../../src/modules/sessions/event-log/redis-event-log.js';
import { sessionKeys, sessionTag } from '../../src/modules/sessions/session-keys.js';

/** Bounds that nothing here reaches. */
export const WIDE = { maxEvents: 100_000, maxBytes: 100_000_000 };

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** One node, as far as the event log goes. */
export class LogNode {
  readonly counts = { appended: 0, script: 0, retried: 0, read: 0, rescued: 0, rolledBack: 0 };
  readonly live = new MortalNodes();
  readonly faults: unknown[] = [];
  /** Bells that get lost on their way to this node; `gap` is the news that some were. */
  loses: (bell: string) => boolean = () => false;
  /** Brings a bell to this node, late or again. */
  deliver: (bell: string) => void = () => {};

  private constructor(
    readonly id: string,
    readonly clients: RedisClients,
    readonly channel: RedisNodeChannel,
    clock: Clock,
    deadlineMs: number | undefined,
  ) {
    const { counts } = this;
    const meter: LogMeter = {
      appended: (count) => void (counts.appended += count),
      script: () => void counts.script++,
      retried: () => void counts.retried++,
      read: () => void counts.read++,
      rescued: () => void counts.rescued++,
      rolledBack: () => void counts.rolledBack++,
    };
    const on = channel.on.bind(channel);
    const onGap = channel.onGap.bind(channel);
    channel.onGap = (listener) => onGap(() => (this.loses('gap') ? undefined : listener()));
    channel.on = (topic, listener) => {
      this.deliver = (bell) => listener(bell, 'somebody');
      return on(topic, (body, from) => {
        if (!this.loses(body)) listener(body, from);
      });
    };
    this.log = new RedisEventLog({
      redis: clients,
      channel,
      clock,
      live: this.live,
      meter,
      onFault: (error) => this.faults.push(error),
      ...(deadlineMs !== undefined && { deadlineMs }),
    });
  }

  readonly log: RedisEventLog;

  static async start(
    urls: readonly string[],
    { clock = systemClock, deadlineMs }: { clock?: Clock; deadlineMs?: number } = {},
  ): Promise<LogNode> {
    const clients = createRedisClients(urls, quiet);
    const id = `node-${randomUUID().slice(0, 8)}`;
    const channel = new RedisNodeChannel({ nodeId: id, redis: clients, clock: systemClock, onFault() {} });
    const node = new LogNode(id, clients, channel, clock, deadlineMs);
    channel.start();
    await Promise.all([channel.whenHearing(), whenUp(clients)]);
    return node;
  }

  /** A session that exists. */
  async session(): Promise<SessionKey> {
    const key = { server: 'acme/tools', owner: 'key:1', id: randomUUID() };
    await this.clients.commands.hset(sessionKeys(sessionTag(key)).session, 'id', key.id);
    return key;
  }

  async endSession(key: SessionKey): Promise<void> {
    await this.clients.commands.del(sessionKeys(sessionTag(key)).session);
  }

  stop(): void {
    this.log.close();
    this.channel.close();
    this.clients.close();
  }
}

async function whenUp(clients: RedisClients): Promise<void> {
  if (!clients.up()) await new Promise<void>((resolve) => void clients.commands.once('ready', resolve));
}

/** A follower that notes what it is told. */
export class Heard implements StreamFollower {
  readonly said: string[] = [];
  readonly #waiting = new Set<() => void>();

  event({ sequence, data }: LoggedEvent): void {
    this.#note(`${sequence}:${data}`);
  }
  gap(next: number): void {
    this.#note(`gap before ${next}`);
  }
  end(): void {
    this.#note('end');
  }
  taken(): void {
    this.#note('taken');
  }

  /** Resolves with all that was said when it is so many things; fails after ten seconds, or `ms`. */
  async until(count: number, ms = 10_000): Promise<string[]> {
    const end = Date.now() + ms;
    while (this.said.length < count) {
      const left = end - Date.now();
      if (left <= 0) throw new Error(`heard ${this.said.length} of ${count}: ${this.said.slice(-5).join(', ')}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#waiting.add(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
    return this.said;
  }

  #note(words: string): void {
    this.said.push(words);
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}

/** `1:1`, `2:2` … as `Heard` notes them when each event is its own number. */
export function numbered(count: number, from = 1): string[] {
  return Array.from({ length: count }, (_, at) => `${at + from}:${at + from}`);
}
