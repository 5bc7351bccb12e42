/** The guard will not send this request. The message is for tenants: it names the rule, never what a name resolved to. */
export class EgressRefused extends Error {
  override readonly name = 'EgressRefused';
}

export type EgressFailureKind =
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'reset'
  | 'malformed'
  | 'encoding'
  | 'cancelled'
  | 'closed'
  | 'unknown';

/**
 * The request was allowed and did not get a usable answer. The message is plain words for tenants, without
 * addresses, headers or the text of the underlying error; that one is kept as `cause` for nobody but the log.
 */
export class EgressFailure extends Error {
  override readonly name = 'EgressFailure';

  constructor(
    readonly kind: EgressFailureKind,
    message: string,
    /** The request, or a part of it, may have reached the backend. */
    readonly sent: boolean,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

const tlsCodes =
  /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|CRL_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|EPROTO$)/;

/** Words for what undici, net, tls, dns or zlib threw. */
export function describeFailure(cause: unknown): EgressFailure {
  if (cause instanceof EgressFailure) return cause;
  const { code: given, name } = (cause ?? {}) as { code?: unknown; name?: unknown };
  const code = name === 'HTTPParserError' ? 'HPE_' : String(given ?? '');
  const [kind, message, sent] = classify(code);
  return new EgressFailure(kind, message, sent, { cause });
}

function classify(code: string): [EgressFailureKind, string, boolean] {
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'ENODATA':
    case 'ESERVFAIL':
      return ['dns', 'the host name could not be resolved', false];
    case 'ECONNREFUSED':
      return ['connect', 'the backend refused the connection', false];
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
      return ['connect', 'the backend cannot be reached', false];
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
      return ['connect', 'the backend did not accept a connection in time', false];
    case 'UND_ERR_HEADERS_TIMEOUT':
      return ['timeout', 'the backend did not begin an answer in time', true];
    case 'UND_ERR_BODY_TIMEOUT':
      return ['timeout', 'the backend stopped sending in the middle of its answer', true];
    case 'UND_ERR_SOCKET':
    case 'ECONNRESET':
    case 'EPIPE':
    case 'ECONNABORTED':
    case 'ERR_STREAM_PREMATURE_CLOSE':
      return ['reset', 'the backend closed the connection before its answer was complete', true];
    case 'UND_ERR_HEADERS_OVERFLOW':
      return ['malformed', 'the headers of the backend’s answer are too large', true];
    case 'UND_ERR_DESTROYED':
    case 'UND_ERR_CLOSED':
      return ['closed', 'the platform is shutting down', false];
  }
  if (tlsCodes.test(code)) return ['tls', `no trusted TLS connection to the backend could be made (${code})`, false];
  if (code.startsWith('HPE_') || code.startsWith('UND_ERR_RES')) {
    return ['malformed', 'the backend’s answer is not valid HTTP', true];
  }
  if (code.startsWith('Z_') || code.startsWith('ERR_BROTLI') || code.startsWith('ERR__ERROR_FORMAT')) {
    return ['encoding', 'the backend’s answer is compressed wrongly', true];
  }
  return ['unknown', 'the request to the backend failed', true];
}
