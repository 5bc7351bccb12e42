/** Stable codes of management errors. Adding one is free; changing one breaks somebody. */
export const problemCodes = [
  'bad_request',
  'invalid_document',
  'unauthenticated',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'conflict',
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
  'locked_out',
  'rate_limited',
  'host_not_allowed',
  'origin_not_allowed',
  'internal',
  'unavailable',
  'node_silent',
] as const;
export type ProblemCode = (typeof problemCodes)[number];
