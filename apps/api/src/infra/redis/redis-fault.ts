import { AppError } from '../../common/errors/app-error.js';

/** Names and words of errors of the client's when no answer came; a script that fails is none of them. */
const NAMES = /^(MaxRetriesPerRequestError|ClusterAllFailedError)$/;
const WORDS =
  /^(Connection is closed\.|(Stream isn't writeable|Cluster isn't ready) and enableOfflineQueue|Command timed out|Socket timeout)/;
/** Answers of a Redis that starts, or of a cluster that has lost a part. */
const REPLIES = /^(LOADING|CLUSTERDOWN|MASTERDOWN|TRYAGAIN|READONLY) /;
const RETRY_SECONDS = '1';

/** The refusal of whatever needs Redis while it is away. */
export function redisAway(cause: unknown, detail = 'Redis is away. Try again.'): AppError {
  return new AppError('unavailable', detail, { cause, headers: { 'retry-after': RETRY_SECONDS } });
}

/** What a failed command means: `unavailable` when Redis is away, else the error itself. */
export function redisFault(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof AppError) return error;
  const { name, message } = error;
  return NAMES.test(name) || WORDS.test(message) || REPLIES.test(message) ? redisAway(error) : error;
}
