import type { LiveNodes } from '../ports/live-nodes.js';

/** Nodes that are gone when a test says so. */
export class MortalNodes implements LiveNodes {
  readonly #gone = new Set<string>();
  readonly #listeners = new Set<(node: string) => void>();

  isGone(node: string): boolean {
    return this.#gone.has(node);
  }

  onGone(listener: (node: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** @param quietly nobody is told, whoever asks learns it */
  die(node: string, quietly = false): void {
    this.#gone.add(node);
    if (!quietly) for (const listener of this.#listeners) listener(node);
  }
}
