import type { ProblemCode } from '@gantry/contracts';

/** What everybody who meets a code may rely on. `retryable`: the same request may succeed later, unchanged. */
export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  readonly retryable: boolean;
}

/** The one catalogue of management errors; `docs/errors.md` is written from it. */
export const problemKinds: Readonly<Record<ProblemCode, ProblemKind>> = {
  bad_request: { status: 400, title: 'The request could not be read', retryable: false },
  unauthenticated: { status: 401, title: 'Valid credentials are required', retryable: false },
  forbidden: { status: 403, title: 'You may not do this', retryable: false },
  origin_not_allowed: { status: 403, title: 'This origin is not allowed', retryable: false },
  not_found: { status: 404, title: 'Not found', retryable: false },
  method_not_allowed: { status: 405, title: 'This method is not served here', retryable: false },
  conflict: { status: 409, title: 'This conflicts with what is stored', retryable: false },
  payload_too_large: { status: 413, title: 'The request is too large', retryable: false },
  unsupported_media_type: { status: 415, title: 'This content type is not served', retryable: false },
  host_not_allowed: { status: 421, title: 'This host name is not served', retryable: false },
  invalid_document: { status: 422, title: 'The document has faults', retryable: false },
  validation_failed: { status: 422, title: 'The request has faults', retryable: false },
  locked_out: { status: 429, title: 'Too many failed attempts', retryable: true },
  rate_limited: { status: 429, title: 'Too many requests', retryable: true },
  internal: { status: 500, title: 'Something went wrong here', retryable: true },
  unavailable: { status: 503, title: 'Not available at the moment', retryable: true },
  node_silent: { status: 504, title: 'The node does not answer', retryable: true },
};
