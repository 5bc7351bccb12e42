import type { GantryNode } from '@gantry/contracts';
import type { Clock, Timer } from '@gantry/mcp-core';
import type { NodeChannel } from '../../infra/nodes/node-channel.js';
import type { RedisClients, RedisCommands } from '../../infra/redis/redis-clients.js';
import { redisAway } from '../../infra/redis/redis-fault.js';
import { nodeChannelName, type RedisNodeChannel } from '../../infra/redis/redis-node-channel.js';
import type { Log } from '../../infra/tokens.js';
import { Departures } from './departures.js';
import { byStart, NodeRegistry, type SharedState } from './node-registry.js';
import { BEAT, LEAVE, LIST, NODE_KEYS } from './node-scripts.js';
import type { NodeFacts, NodeSelf } from './node-self.js';

const BEAT_MS = 1_000;
const LEASE_MS = 10_000;
const KEEP_GONE_MS = 600_000;
/** Without a beat for this long, Redis is away. */
const AWAY_BEATS = 3;
/** How long a start waits for Redis: as long as it may take beside everything else that starts. */
const JOIN_WAIT_MS = 30_000;
const JOIN_RETRY_MS = 200;
const GOODBYE = 'node gone';

/** No Redis at a start: one line for whoever started this node. Nothing in it is of the address, which may hold a password. */
export class RedisAwayError extends Error {
  constructor(waitedMs: number, reason: string) {
    super(`REDIS_URL: no Redis answered within ${Math.ceil(waitedMs / 1_000)} s: ${reason}`);
  }
}

export interface RedisNodeRegistryOptions {
  readonly self: NodeSelf;
  readonly redis: RedisClients;
  readonly channel: NodeChannel & Pick<RedisNodeChannel, 'expectPing' | 'forgetPing' | 'pingMessage'>;
  readonly clock: Clock;
  readonly log: Log;
  /** A second between beats, ten for a lease, ten minutes in the list of nodes, unless told otherwise. */
  readonly beatMs?: number;
  readonly leaseMs?: number;
  readonly keepGoneMs?: number;
}

type BeatReply = [now: number, back: number, living: string[], gone: string[], reclaimed: string[]];
type ListReply = [now: number, nodes: [id: string, leaseEnd: string, goneAt: string, facts: string][]];

interface Scripts {
  gantryNodeBeat(...args: (string | number)[]): Promise<BeatReply>;
  gantryNodeLeave(...args: (string | number)[]): Promise<number>;
  gantryNodeList(...args: (string | number)[]): Promise<ListReply>;
}

/** The nodes on one Redis, each with a lease that lives as long as it beats. All times are those of Redis. */
export class RedisNodeRegistry extends NodeRegistry {
  private readonly scripts: Scripts;
  private readonly departures: Departures;
  private readonly stopListening: () => void;
  private timer: Timer | undefined;
  private beating: Promise<void> | undefined;
  private beatenAt = Number.NEGATIVE_INFINITY;
  private failing = false;
  private left = false;

  constructor(private readonly options: RedisNodeRegistryOptions) {
    super();
    this.scripts = withScripts(options.redis.commands);
    const onFault = (err: unknown) => options.log.error({ err }, 'whoever was told that a node is gone failed');
    this.departures = new Departures(options.self.id, this.leaseMs, onFault);
    this.stopListening = options.channel.on(GOODBYE, (_body, from) => this.departures.left(from));
  }

  /** @throws RedisAwayError when Redis has not answered within `waitMs` */
  async join(waitMs = JOIN_WAIT_MS): Promise<void> {
    const { clock, redis } = this.options;
    const until = clock.now() + waitMs;
    let reason: unknown;
    const note = (error: unknown) => {
      reason = error;
    };
    redis.commands.on('error', note);
    try {
      for (;;) {
        const failed = await this.beat().then(
          () => undefined,
          (error: unknown) => error,
        );
        if (failed === undefined) return this.schedule();
        if (clock.now() >= until) throw new RedisAwayError(waitMs, reasonOf(reason ?? failed));
        await new Promise<void>((resolve) => clock.setTimer(JOIN_RETRY_MS, resolve));
      }
    } finally {
      redis.commands.off('error', note);
    }
  }

  async leave(): Promise<void> {
    if (this.left) return;
    this.left = true;
    this.timer?.cancel();
    this.stopListening();
    await this.beating?.catch(() => undefined);
    // Whoever never came need not say goodbye.
    if (!Number.isFinite(this.beatenAt)) return;
    const { self, channel, log } = this.options;
    try {
      await this.scripts.gantryNodeLeave(...NODE_KEYS, self.id, JSON.stringify(self.facts()));
      channel.broadcast(GOODBYE, '');
    } catch (error) {
      log.warn({ reason: reasonOf(error) }, 'the node left without a goodbye; its lease will lapse');
    }
  }

  living(): readonly string[] {
    const { living } = this.departures;
    const { id } = this.options.self;
    return living.includes(id) ? living : [id, ...living];
  }

  isGone(node: string): boolean {
    return this.departures.isGone(node);
  }

  onGone(listener: (node: string) => void): () => void {
    return this.departures.onGone(listener);
  }

  async list(): Promise<readonly GantryNode[]> {
    const [, nodes] = await this.scripts.gantryNodeList(...NODE_KEYS).catch((cause: unknown) => {
      throw redisAway(cause, 'Redis, which knows the nodes, is away. Try again.');
    });
    return nodes.map((row) => this.shown(row)).sort(byStart);
  }

  shared(): SharedState {
    const ageMs = this.options.clock.now() - this.beatenAt;
    if (this.options.redis.up() && ageMs <= this.beatMs * AWAY_BEATS) return { ok: true };
    const since = Number.isFinite(ageMs) ? `for ${Math.round(ageMs / 1_000)} s` : 'yet';
    return { ok: false, detail: `no answer ${since}; sessions answer 503 until it is back` };
  }

  private shown([id, leaseEnd, goneAt, text]: ListReply[1][number]): GantryNode {
    const facts = JSON.parse(text) as NodeFacts;
    const answering = id === this.options.self.id ? { answering: true } : {};
    if (leaseEnd === '') return { id, ...facts, state: 'gone', goneAt: instant(Number(goneAt)), ...answering };
    return { id, ...facts, lastSeenAt: instant(Number(leaseEnd) - this.leaseMs), ...answering };
  }

  private schedule(): void {
    if (this.left) return;
    this.timer = this.options.clock.setTimer(this.beatMs, () => {
      this.beating = this.beat()
        .catch((error: unknown) => {
          // The connection tells of an outage; a fault of the script's own would be silent without this.
          if (!this.failing) this.options.log.warn({ reason: reasonOf(error) }, 'the lease could not be renewed');
          this.failing = true;
        })
        .finally(() => this.schedule());
    });
  }

  private async beat(): Promise<void> {
    const { self, channel, clock, log } = this.options;
    const number = this.departures.begin();
    const sentAt = clock.now();
    channel.expectPing();
    const answer = this.scripts.gantryNodeBeat(
      ...NODE_KEYS,
      self.id,
      JSON.stringify(self.facts()),
      this.leaseMs,
      this.options.keepGoneMs ?? KEEP_GONE_MS,
      nodeChannelName(self.id),
      channel.pingMessage,
    );
    const [now, back, living, gone, reclaimed] = await answer.catch((error: unknown) => {
      channel.forgetPing();
      throw error;
    });
    this.beatenAt = clock.now();
    self.clockSkewMs = Math.round((sentAt + this.beatenAt) / 2 - now);
    if (this.failing) log.info({}, 'the lease is renewed again');
    this.failing = false;
    if (back === 1) log.warn({}, 'this node was held for gone: its lease had lapsed; it has a new one');
    for (const node of reclaimed) log.warn({ node }, 'a node is gone: its lease has lapsed');
    this.departures.hear(number, { living, gone }, this.beatenAt);
  }

  private get beatMs(): number {
    return this.options.beatMs ?? BEAT_MS;
  }

  private get leaseMs(): number {
    return this.options.leaseMs ?? LEASE_MS;
  }
}

function withScripts(commands: RedisCommands): Scripts {
  const numberOfKeys = NODE_KEYS.length;
  commands.defineCommand('gantryNodeBeat', { numberOfKeys, lua: BEAT });
  commands.defineCommand('gantryNodeLeave', { numberOfKeys, lua: LEAVE });
  commands.defineCommand('gantryNodeList', { numberOfKeys, lua: LIST });
  return commands as unknown as Scripts;
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}
