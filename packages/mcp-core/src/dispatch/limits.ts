import { MAX_JSON_DEPTH } from '../jsonrpc/codec.js';

/** What one endpoint takes and gives at most, for every server it hosts. */
export interface EndpointLimits {
  /** Arrays and objects of one message may be nested this deep. */
  readonly jsonDepth: number;
  /** Messages of one batch, where the revision has batches. */
  readonly batchLength: number;
  /** A reader that many bytes behind is cut off; one larger frame is still sent. */
  readonly queuedBytes: number;
  /** Characters of one tool result as JSON; a longer one becomes a tool error that says so. */
  readonly resultLength: number;
}

/** Limits of an endpoint that is given none: batches of 50, 1 MiB queued, results of 16 Mi characters. */
export const DEFAULT_LIMITS: EndpointLimits = Object.freeze({
  jsonDepth: MAX_JSON_DEPTH,
  batchLength: 50,
  queuedBytes: 1024 * 1024,
  resultLength: 16 * 1024 * 1024,
});

/** Resources one session may be subscribed to, and one listen stream may name. */
export const MAX_SUBSCRIPTIONS = 1_000;
/** Tasks one listen stream may name. */
export const MAX_TASKS = 100;
