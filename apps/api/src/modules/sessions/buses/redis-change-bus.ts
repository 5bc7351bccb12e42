import {
  type ChangeBus,
  type Clock,
  InMemoryChangeBus,
  LOG_LEVELS,
  type ServerChange,
  type Timer,
} from '@gantry/mcp-core';
import { z } from 'zod';
import type { NodeChannel } from '../../../infra/nodes/node-channel.js';
import { PUBLISH } from '../../../infra/redis/publish-script.js';
import type { RedisCommands } from '../../../infra/redis/redis-clients.js';
import { EVERYBODY, nodeMessage } from '../../../infra/redis/redis-node-channel.js';
import { scopeKeys } from '../store/index-keys.js';

const TOPIC = 'change';
const RETRY_MS = 1_000;

const changeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('list'), list: z.enum(['tools', 'prompts', 'resources']) }),
  z.object({ kind: z.literal('resource'), uri: z.string() }),
  z.object({ kind: z.literal('task'), id: z.string() }),
  z.object({
    kind: z.literal('message'),
    level: z.enum(LOG_LEVELS),
    logger: z.string().optional(),
    data: z.unknown(),
  }),
  /** Something that had happened could not be said. */
  z.object({ kind: z.literal('missed') }),
]);
const wordSchema = z.object({ server: z.string(), change: changeSchema });

export interface RedisChangeBusOptions {
  readonly redis: RedisCommands;
  readonly channel: NodeChannel;
  readonly clock: Clock;
  readonly onFault: (error: unknown) => void;
}

/** Changes told to this node's subscribers at once, and to those of the others by the channel that all of them hear. */
export class RedisChangeBus implements ChangeBus {
  private readonly local = new InMemoryChangeBus();
  /** By server, who wants to know that something was missed. */
  private readonly missing = new Map<string, Set<() => void>>();
  /** Servers of which the other nodes have yet to hear that they missed something. */
  private readonly unsaid = new Set<string>();
  private retry: Timer | undefined;
  private retrying = false;
  private closed = false;
  private readonly stops: readonly (() => void)[];

  constructor(private readonly options: RedisChangeBusOptions) {
    const { channel } = options;
    this.stops = [
      channel.on(TOPIC, (text) => this.received(text)),
      channel.onGap(() => {
        for (const server of [...this.missing.keys()]) this.tellMissed(server);
      }),
    ];
  }

  publish(server: string, change: ServerChange): void {
    this.local.publish(server, change);
    this.say(server, change).catch((error) => {
      this.options.onFault(error);
      this.unsaid.add(server);
      this.sayLater();
    });
  }

  subscribe(server: string, listener: (change: ServerChange) => void, missed?: () => void): () => void {
    const stop = this.local.subscribe(server, listener);
    if (missed === undefined) return stop;
    const entry = () => missed();
    const all = this.missing.get(server) ?? new Set();
    this.missing.set(server, all.add(entry));
    return () => {
      stop();
      all.delete(entry);
      if (all.size === 0 && this.missing.get(server) === all) this.missing.delete(server);
    };
  }

  /** Hears other nodes no more, and tries no more to say what it could not. */
  close(): void {
    this.closed = true;
    for (const stop of this.stops) stop();
    this.retry?.cancel();
  }

  private async say(server: string, change: ServerChange | { readonly kind: 'missed' }): Promise<void> {
    const { redis, channel } = this.options;
    const message = nodeMessage(TOPIC, channel.nodeId, JSON.stringify({ server, change }));
    await PUBLISH.runInOrder(redis, [scopeKeys(server).order], [EVERYBODY, message]);
  }

  private sayLater(): void {
    if (this.closed || this.retrying || this.unsaid.size === 0) return;
    this.retrying = true;
    this.retry = this.options.clock.setTimer(RETRY_MS, () => {
      const servers = [...this.unsaid];
      this.unsaid.clear();
      const said = servers.map((server) =>
        this.say(server, { kind: 'missed' }).catch(() => void this.unsaid.add(server)),
      );
      void Promise.all(said).then(() => {
        this.retrying = false;
        this.sayLater();
      });
    });
  }

  private received(text: string): void {
    const { server, change } = wordSchema.parse(JSON.parse(text));
    if (change.kind === 'missed') this.tellMissed(server);
    else this.local.publish(server, change as ServerChange);
  }

  private tellMissed(server: string): void {
    for (const missed of [...(this.missing.get(server) ?? [])]) {
      try {
        missed();
      } catch (error) {
        this.options.onFault(error);
      }
    }
  }
}
