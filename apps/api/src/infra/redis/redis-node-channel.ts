import type { Clock, Timer } from '@gantry/mcp-core';
import { Cluster, type Redis } from 'ioredis';
import { type NodeChannel, TopicListeners } from '../nodes/node-channel.js';
import { PUBLISH } from './publish-script.js';
import { type RedisClients, reconnectDelayMs } from './redis-clients.js';

/** The channel that every node hears. */
export const EVERYBODY = 'gantry:nodes';
const PING = 'ping';
/** A ping that takes longer has shown that messages are late or lost. */
const PING_LATE_MS = 1_000;
/** One that takes this long never comes: the connection is dead, whatever its socket says. */
const PING_LOST_MS = 4_000;

/** The channel of one node; a script that rings it publishes `message(topic, from, body)`. */
export function nodeChannelName(node: string): string {
  return `gantry:node:${node}`;
}

/** A message as it is published: topic, sender and body, in lines. */
export function nodeMessage(topic: string, from: string, body: string): string {
  return `${topic}\n${from}\n${body}`;
}

export interface RedisNodeChannelOptions {
  readonly nodeId: string;
  readonly redis: Pick<RedisClients, 'commands' | 'connectSubscriber'>;
  readonly clock: Clock;
  readonly onFault: (error: unknown) => void;
}

/**
 * Messages between nodes by Redis pub/sub: one subscription of its own channel and one of everybody's, however many
 * sessions the node holds.
 */
export class RedisNodeChannel implements NodeChannel {
  readonly nodeId: string;
  private readonly listeners: TopicListeners;
  private subscriber: Redis | undefined;
  private attempt = 0;
  private retry: Timer | undefined;
  private closed = false;
  private heard = false;
  private pingDue: { at: number; lost: Timer } | undefined;
  private waiting: Array<() => void> = [];

  constructor(private readonly options: RedisNodeChannelOptions) {
    this.nodeId = options.nodeId;
    this.listeners = new TopicListeners(options.onFault);
  }

  /** Subscribes, and goes on doing so until `close`. */
  start(): void {
    const subscriber = this.options.redis.connectSubscriber();
    this.subscriber = subscriber;
    subscriber.on('error', () => {
      // The connection for commands tells of outages; this one comes back by itself.
    });
    subscriber.on('message', (channel: string, text: string) => this.receive(channel, text));
    subscriber.once('ready', () => {
      subscriber.subscribe(nodeChannelName(this.nodeId), EVERYBODY).then(
        () => this.subscribed(),
        () => subscriber.disconnect(),
      );
    });
    subscriber.once('end', () => {
      if (this.closed || this.subscriber !== subscriber) return;
      this.heard = false;
      this.retry = this.options.clock.setTimer(reconnectDelayMs(this.attempt++), () => this.start());
    });
  }

  /** Whether messages arrive at the moment, as far as is known. */
  get hearing(): boolean {
    return this.heard;
  }

  /** Resolves when the subscription stands. */
  whenHearing(): Promise<void> {
    if (this.heard) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  send(node: string, topic: string, body: string): void {
    this.publish(nodeChannelName(node), topic, body);
  }

  broadcast(topic: string, body: string): void {
    this.publish(EVERYBODY, topic, body);
  }

  on(topic: string, listener: (body: string, from: string) => void): () => void {
    return this.listeners.on(topic, listener);
  }

  onGap(listener: () => void): () => void {
    return this.listeners.onGap(listener);
  }

  /** A ping to this node itself is about to be published, by whatever command goes to Redis once a second anyway. */
  expectPing(): void {
    if (this.pingDue !== undefined) return;
    const lost = this.options.clock.setTimer(PING_LOST_MS, () => {
      this.pingDue = undefined;
      this.subscriber?.disconnect();
    });
    this.pingDue = { at: this.options.clock.now(), lost };
  }

  /** The ping could not be published: that it does not come says nothing. */
  forgetPing(): void {
    this.pingDue?.lost.cancel();
    this.pingDue = undefined;
  }

  /** What a ping looks like, on `nodeChannelName(nodeId)`. */
  get pingMessage(): string {
    return nodeMessage(PING, this.nodeId, '');
  }

  close(): void {
    this.closed = true;
    this.heard = false;
    this.retry?.cancel();
    this.forgetPing();
    this.subscriber?.disconnect();
  }

  private subscribed(): void {
    if (this.closed) return;
    this.attempt = 0;
    this.heard = true;
    // One that was published before this never comes.
    this.forgetPing();
    for (const resolve of this.waiting.splice(0)) resolve();
    // Whatever was said while nobody listened is lost.
    this.listeners.tellGap();
  }

  private receive(channel: string, text: string): void {
    if (this.closed) return;
    const topicEnd = text.indexOf('\n');
    const fromEnd = text.indexOf('\n', topicEnd + 1);
    if (topicEnd < 0 || fromEnd < 0) return;
    const topic = text.slice(0, topicEnd);
    const from = text.slice(topicEnd + 1, fromEnd);
    if (topic === PING) return this.pinged();
    // What it said to everybody else comes back to it too.
    if (from === this.nodeId && channel === EVERYBODY) return;
    this.listeners.tell(topic, text.slice(fromEnd + 1), from);
  }

  private pinged(): void {
    if (this.pingDue === undefined) return;
    const late = this.options.clock.now() - this.pingDue.at > PING_LATE_MS;
    this.forgetPing();
    if (late) this.listeners.tellGap();
  }

  private publish(channel: string, topic: string, body: string): void {
    const { redis, onFault } = this.options;
    const message = nodeMessage(topic, this.nodeId, body);
    const said =
      redis.commands instanceof Cluster
        ? PUBLISH.runInOrder(redis.commands, [nodeChannelName(this.nodeId)], [channel, message])
        : redis.commands.publish(channel, message);
    said.catch(onFault);
  }
}
