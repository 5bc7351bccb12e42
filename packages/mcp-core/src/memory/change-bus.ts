import type { ChangeBus, ServerChange } from '../ports/change-bus.js';

type Listener = (change: ServerChange) => void;

/** Changes heard within one process, before `publish` returns. */
export class InMemoryChangeBus implements ChangeBus {
  readonly #servers = new Map<string, Set<Listener>>();

  publish(server: string, change: ServerChange): void {
    for (const listener of [...(this.#servers.get(server) ?? [])]) {
      try {
        listener(change);
      } catch {
        // A listener's fault is its own; the others still hear.
      }
    }
  }

  subscribe(server: string, listener: Listener): () => void {
    const entry: Listener = (change) => listener(change);
    const listeners = this.#servers.get(server) ?? new Set();
    this.#servers.set(server, listeners.add(entry));
    return () => {
      listeners.delete(entry);
      if (listeners.size === 0 && this.#servers.get(server) === listeners) this.#servers.delete(server);
    };
  }
}
