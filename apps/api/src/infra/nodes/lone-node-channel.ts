import { type NodeChannel, TopicListeners } from './node-channel.js';

/** The channel of a node that is alone: what it sends to itself arrives in a later turn of the event loop. */
export class LoneNodeChannel implements NodeChannel {
  private readonly listeners: TopicListeners;

  constructor(
    readonly nodeId: string,
    onFault: (error: unknown) => void,
  ) {
    this.listeners = new TopicListeners(onFault);
  }

  send(node: string, topic: string, body: string): void {
    if (node === this.nodeId) setImmediate(() => this.listeners.tell(topic, body, this.nodeId));
  }

  broadcast(): void {}

  on(topic: string, listener: (body: string, from: string) => void): () => void {
    return this.listeners.on(topic, listener);
  }

  onGap(listener: () => void): () => void {
    return this.listeners.onGap(listener);
  }
}
