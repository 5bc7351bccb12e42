/**
 * Every number that may stand in `error.code`, by the name the specification gives it.
 * REQUEST_CANCELLED and REQUEST_TIMEOUT are raised on our side of the wire only and lie outside the reserved
 * range -32768…-32000.
 */
export const MCP_CODES = Object.freeze({
  PARSE_ERROR: -32700,
  INVALID_REQUEST: -32600,
  METHOD_NOT_FOUND: -32601,
  INVALID_PARAMS: -32602,
  INTERNAL_ERROR: -32603,
  /** Revisions up to 2025-11-25. */
  RESOURCE_NOT_FOUND: -32002,
  HEADER_MISMATCH: -32020,
  MISSING_REQUIRED_CLIENT_CAPABILITY: -32021,
  UNSUPPORTED_PROTOCOL_VERSION: -32022,
  /** 2025-11-25 only. */
  URL_ELICITATION_REQUIRED: -32042,
  REQUEST_CANCELLED: 1001,
  REQUEST_TIMEOUT: 1002,
} as const);

/** An error that crosses the wire: thrown by a handler it is the answer, received as an answer it is the rejection. */
export class MCPError extends Error {
  override name = 'MCPError';

  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** The caller's signal ended a request of ours before its answer came. */
export class RequestCancelledError extends MCPError {
  override name = 'RequestCancelledError';

  constructor(message = 'The request was cancelled', cause?: unknown) {
    super(MCP_CODES.REQUEST_CANCELLED, message);
    if (cause !== undefined) this.cause = cause;
  }
}

/** No answer came in time; `data` says which limit, in milliseconds. */
export class RequestTimeoutError extends MCPError {
  override name = 'RequestTimeoutError';

  constructor(method: string, limit: 'timeoutMs' | 'maxTotalTimeoutMs', ms: number) {
    super(MCP_CODES.REQUEST_TIMEOUT, `No answer to ${method} within ${ms} ms (${limit})`, { limit, ms });
  }
}

/**
 * What can go wrong between the two ends.
 * TRANSPORT_CLOSED: nothing more comes or goes. SEND_FAILED: this one message did not leave; see `cause`.
 * BUFFER_FULL: the other end reads nothing and the transport will not hold more.
 */
export type TransportFailure = 'TRANSPORT_CLOSED' | 'SEND_FAILED' | 'BUFFER_FULL';

/** A local error of the transport. It never crosses the wire and carries a word, not a number. */
export class MCPTransportError extends Error {
  override name = 'MCPTransportError';

  constructor(
    readonly reason: TransportFailure,
    message: string = reason,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** The dispatcher was used in a way its promises exclude, such as two handlers for one method. */
export class DispatcherUsageError extends Error {
  override name = 'DispatcherUsageError';

  constructor(
    readonly reason: 'DUPLICATE_HANDLER',
    message: string,
  ) {
    super(message);
  }
}

/**
 * A message of the other side that fits nothing on ours.
 * MALFORMED: not JSON-RPC. UNKNOWN_RESPONSE: answers no request of ours, or one that was answered before.
 * ERROR_WITHOUT_ID: the other side could not read something we sent. INVALID_NOTIFICATION: params failed their schema.
 */
export type ProtocolFaultKind = 'MALFORMED' | 'UNKNOWN_RESPONSE' | 'ERROR_WITHOUT_ID' | 'INVALID_NOTIFICATION';

/** Told to `listeners.onProtocolError`, never thrown. */
export class ProtocolFault extends Error {
  override name = 'ProtocolFault';

  constructor(
    readonly reason: ProtocolFaultKind,
    message: string,
    /** What was received, as far as it could be read. */
    readonly received?: unknown,
  ) {
    super(message);
  }
}
