/** The right to serve on a database. */
export abstract class NodeClaim {
  /**
   * Takes it and keeps it until shutdown. `onLost` is called once if another node took it.
   * @throws LeaseTakenError when a living node holds it alone
   */
  abstract acquire(onLost: () => void): Promise<void>;
}
