/** Which nodes have stopped, as far as this node knows. */
export interface LiveNodes {
  /**
   * Whether the lease of a node has lapsed or was given back. A node never comes back under the same id, so the answer
   * does not change from true to false. False for a node that is not known not to live.
   */
  isGone(node: string): boolean;
  /** Told once of each node that is found gone from now on. Returns the function that ends it. */
  onGone(listener: (node: string) => void): () => void;
}
