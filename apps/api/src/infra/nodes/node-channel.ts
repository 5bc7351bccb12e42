/**
 * Short messages between nodes, by topic. Delivery is at most once, and in order for each pair of nodes: a message is a
 * bell, the truth is in the stores. Sending never waits and never throws.
 */
export interface NodeChannel {
  /** Unique for each start of a process. */
  readonly nodeId: string;
  /** To one node; nothing happens when there is none of that name. A node may send to itself. */
  send(node: string, topic: string, body: string): void;
  /** To every other node. */
  broadcast(topic: string, body: string): void;
  /** What is sent to this node. Returns the function that ends it; a throwing listener hurts no other. */
  on(topic: string, listener: (body: string, from: string) => void): () => void;
  /** Told when messages to this node may have been lost: who relies on bells looks for itself now. */
  onGap(listener: () => void): () => void;
}

/** Listeners by topic, for every kind of channel. */
export class TopicListeners {
  private readonly listeners = new Map<string, Set<(body: string, from: string) => void>>();
  private readonly gapListeners = new Set<() => void>();

  constructor(private readonly onFault: (error: unknown) => void) {}

  on(topic: string, listener: (body: string, from: string) => void): () => void {
    const all = this.listeners.get(topic) ?? new Set();
    this.listeners.set(topic, all.add(listener));
    return () => void all.delete(listener);
  }

  onGap(listener: () => void): () => void {
    this.gapListeners.add(listener);
    return () => void this.gapListeners.delete(listener);
  }

  tell(topic: string, body: string, from: string): void {
    for (const listener of [...(this.listeners.get(topic) ?? [])]) this.guarded(() => listener(body, from));
  }

  tellGap(): void {
    for (const listener of [...this.gapListeners]) this.guarded(listener);
  }

  private guarded(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.onFault(error);
    }
  }
}
