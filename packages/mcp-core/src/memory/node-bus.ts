import type { NodeBus, NodeMessage } from '../ports/node-bus.js';
import type { MaybePromise } from '../ports/session-store.js';

type Listener = (message: NodeMessage) => void;

/** Joins the nodes of one process: what is sent is heard before the call returns. */
export class InMemoryNodeBus implements NodeBus {
  readonly #nodes = new Map<string, Set<Listener>>();

  send(node: string, message: NodeMessage): void {
    for (const listener of [...(this.#nodes.get(node) ?? [])]) {
      try {
        listener(message);
      } catch {
        // One node's fault is not another's, and the sender has nobody to tell it to.
      }
    }
  }

  broadcast(from: string, message: NodeMessage): void {
    for (const node of [...this.#nodes.keys()]) {
      if (node !== from) this.send(node, message);
    }
  }

  listen(node: string, listener: Listener): () => void {
    const entry: Listener = (message) => listener(message);
    const listeners = this.#nodes.get(node) ?? new Set();
    this.#nodes.set(node, listeners.add(entry));
    return () => {
      listeners.delete(entry);
      if (listeners.size === 0 && this.#nodes.get(node) === listeners) this.#nodes.delete(node);
    };
  }

  /** Nothing gets lost within a process. */
  kept(): MaybePromise<readonly NodeMessage[]> {
    return [];
  }
}
