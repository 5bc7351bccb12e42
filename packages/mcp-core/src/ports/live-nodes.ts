/** Which nodes have stopped, as far as this node knows. */
export interface LiveNodes {
  /**
   * Whether the lease of a node has lapsed or was given back. False for a node that is not known not to live, and again
   * for one that slept, was held for gone, and has a new lease; what it ran before may have been ended by others.
   */
  isGone(node: string): boolean;
  /** Told once of each node that is found gone from now on. Returns the function that ends it. */
  onGone(listener: (node: string) => void): () => void;
}
