import type { Clock, NodeBus, NodeMessage, SessionKey } from '@gantry/mcp-core';
import type { NodeChannel } from '../../../infra/nodes/node-channel.js';
import type { RedisCommands } from '../../../infra/redis/redis-clients.js';
import { EVERYBODY, nodeChannelName, nodeMessage } from '../../../infra/redis/redis-node-channel.js';
import { sessionKeys, sessionTag } from '../session-keys.js';
import { RECALL, SAY } from './bus-scripts.js';
import { decodeKept, decodeWord, encodeKept, encodeWord, type Said } from './node-words.js';

const TOPIC = 'mcp';
/** Ids of questions name a node, and clients send them back: what is no name of a node leads nowhere. */
const NODE_NAME = /^[\w-]{1,64}$/;
/** A cancel overtakes its request by less than this, and no gap in hearing is as long. */
const KEPT_MS = 60_000;
/** Words kept of one session, and their bytes. */
const MAX_KEPT = 128;
const MAX_KEPT_BYTES = 1024 * 1024;
/** A longer word is kept and not said. */
const INLINE_LENGTH = 8 * 1024;
/** Names of words that were heard and may come again. */
const MAX_HEARD = 10_000;

export interface ChannelNodeBusOptions {
  readonly redis: RedisCommands;
  readonly channel: NodeChannel;
  readonly clock: Clock;
  /** Told when something could not be said. */
  readonly onFault: (error: unknown) => void;
}

/** What nodes tell each other about sessions, by their channels. Cancels and answers are kept for who does not hear. */
export class ChannelNodeBus implements NodeBus {
  private words = 0;
  /** By name of the word, until when it may come again. */
  private readonly heard = new Map<string, number>();

  constructor(private readonly options: ChannelNodeBusOptions) {}

  send(node: string, message: NodeMessage): void {
    if (NODE_NAME.test(node)) this.say(nodeChannelName(node), node, message);
  }

  broadcast(_from: string, message: NodeMessage): void {
    this.say(EVERYBODY, '', message);
  }

  listen(node: string, listener: (message: NodeMessage) => void, missed?: () => void): () => void {
    const { channel } = this.options;
    if (node !== channel.nodeId) throw new RangeError(`${channel.nodeId} hears nothing that is sent to ${node}`);
    const stops = [channel.on(TOPIC, (text) => this.received(text, listener))];
    if (missed !== undefined) stops.push(channel.onGap(missed));
    return () => {
      for (const stop of stops) stop();
    };
  }

  async kept(node: string, session: SessionKey): Promise<readonly NodeMessage[]> {
    const { words } = sessionKeys(sessionTag(session));
    const texts = (await RECALL.run(this.options.redis, [words], [KEPT_MS])) as string[];
    const messages: NodeMessage[] = [];
    for (const text of texts) {
      const word = decodeKept(text);
      if (word === undefined || (word.to === '' ? word.from === node : word.to !== node)) continue;
      if (this.isNew(word.name) && word.said.kind !== 'look') messages.push(word.said as NodeMessage);
    }
    return messages;
  }

  private received(text: string, listener: (message: NodeMessage) => void): void {
    const word = decodeWord(text);
    if (word === undefined) return;
    const { name, said } = word;
    if (said.kind === 'look') this.look(said, listener);
    // It may have been among the words kept, which this node has asked for.
    else if (!isKept(said.kind) || this.isNew(name)) listener(said as NodeMessage);
  }

  private look({ session }: Said, listener: (message: NodeMessage) => void): void {
    const { channel, onFault } = this.options;
    this.kept(channel.nodeId, session)
      .then((messages) => {
        for (const message of messages) listener(message);
      })
      .catch(onFault);
  }

  private say(channelName: string, to: string, message: NodeMessage): void {
    const { redis, channel, onFault } = this.options;
    const { session, words } = sessionKeys(sessionTag(message.session));
    const from = channel.nodeId;
    const name = `${from}:${++this.words}`;
    const text = encodeWord({ name, said: message });
    const keep = isKept(message.kind) ? encodeKept({ from, to, name, said: message }) : '';
    const long = keep !== '' && text.length > INLINE_LENGTH;
    const said = long ? encodeWord({ name, said: { kind: 'look', session: message.session } }) : text;
    const args = [channelName, nodeMessage(TOPIC, from, said), keep, MAX_KEPT, MAX_KEPT_BYTES, KEPT_MS];
    SAY.runInOrder(redis, [session, words], args).catch(onFault);
  }

  /** Whether a word comes for the first time. */
  private isNew(name: string): boolean {
    const now = this.options.clock.now();
    for (const [old, until] of this.heard) {
      if (until > now && this.heard.size < MAX_HEARD) break;
      this.heard.delete(old);
    }
    if (this.heard.has(name)) return false;
    this.heard.set(name, now + 2 * KEPT_MS);
    return true;
  }
}

/** What no store holds, and nobody says again. */
function isKept(kind: Said['kind']): boolean {
  return kind === 'cancel' || kind === 'answer';
}
