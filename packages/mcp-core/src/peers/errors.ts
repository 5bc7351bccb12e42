/**
 * How a peer can be used in a way its promises exclude.
 * CONNECTED_TWICE, NOT_CONNECTED: a client has one connection, from `connect` to `close`. DUPLICATE_NAME: something with
 * that name is offered already. INVALID_DEFINITION: what is offered could not be served.
 */
export type PeerFault = 'CONNECTED_TWICE' | 'NOT_CONNECTED' | 'DUPLICATE_NAME' | 'INVALID_DEFINITION';

/** A local error of whoever uses `McpServer` or `McpClient`; it never crosses the wire. */
export class PeerUsageError extends Error {
  override name = 'PeerUsageError';

  constructor(
    readonly reason: PeerFault,
    message: string,
  ) {
    super(message);
  }
}

/** The server answered a request of ours with something that is no answer to it. */
export class UnexpectedAnswerError extends Error {
  override name = 'UnexpectedAnswerError';

  constructor(
    readonly method: string,
    what: string,
  ) {
    super(`The answer to ${method} cannot be used: ${what}`);
  }
}
