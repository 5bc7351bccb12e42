/** Which nodes have stopped, as far as this node knows. */
export interface LiveNodes {
  isGone(node: string): boolean;
  /** Told once of each node that is found gone from now on. Returns the function that ends it. */
  onGone(listener: (node: string) => void): () => void;
}
