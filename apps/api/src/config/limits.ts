import type { PlatformLimits } from './app-config.js';
import { ConfigError } from './config-error.js';
import { type Environment, integer, text } from './values.js';

const KIB = 1024;
const MIB = 1024 * KIB;
const MANY = 1_000_000_000;
const DAY_MS = 86_400_000;

/** `LIMIT_*` variables: the limit each one sets, and its bounds. Sizes are bytes. */
const LIMITS: Record<string, { limit: keyof PlatformLimits; min: number; max: number; fallback: number | undefined }> =
  {
    LIMIT_BODY_BYTES: { limit: 'bodyBytes', min: KIB, max: 256 * MIB, fallback: 4 * MIB },
    LIMIT_JSON_DEPTH: { limit: 'jsonDepth', min: 8, max: 1024, fallback: 64 },
    LIMIT_CALLS_PER_MINUTE: { limit: 'callsPerMinute', min: 1, max: MANY, fallback: undefined },
    LIMIT_CONCURRENT_CALLS: { limit: 'concurrentCalls', min: 1, max: MANY, fallback: undefined },
    LIMIT_SESSIONS: { limit: 'sessions', min: 1, max: MANY, fallback: 50_000 },
    LIMIT_SESSIONS_PER_KEY: { limit: 'sessionsPerKey', min: 1, max: MANY, fallback: 20_000 },
    LIMIT_LISTENS_PER_KEY: { limit: 'listensPerKey', min: 1, max: MANY, fallback: 1_000 },
    LIMIT_RESULT_BYTES: { limit: 'resultBytes', min: KIB, max: 256 * MIB, fallback: 16 * MIB },
    LIMIT_SLOW_READER_BYTES: { limit: 'slowReaderBytes', min: KIB, max: 256 * MIB, fallback: MIB },
    LIMIT_JOB_SLOTS: { limit: 'jobSlots', min: 1, max: 1_000, fallback: 16 },
    LIMIT_CONCURRENT_JOBS: { limit: 'concurrentJobs', min: 1, max: MANY, fallback: 50 },
    LIMIT_QUEUED_JOBS: { limit: 'queuedJobs', min: 1, max: MANY, fallback: 10_000 },
    LIMIT_JOB_TIMEOUT_MS: { limit: 'jobTimeoutMs', min: 100, max: DAY_MS, fallback: DAY_MS / 24 },
    LIMIT_JOB_RETENTION_MS: { limit: 'jobRetentionMs', min: 1_000, max: 365 * DAY_MS, fallback: DAY_MS },
    LIMIT_IDEMPOTENCY_MS: { limit: 'idempotencyMs', min: 1_000, max: 365 * DAY_MS, fallback: DAY_MS },
  };

/**
 * Platform defaults of the limits.
 * @throws ConfigError for a value out of bounds, and for a `LIMIT_` name that sets nothing: a misspelt limit would
 * otherwise be no limit at all.
 */
export function loadLimits(env: Environment): PlatformLimits {
  for (const name of Object.keys(env)) {
    if (name.startsWith('LIMIT_') && text(env, name) !== undefined && !(name in LIMITS)) {
      throw new ConfigError(name, `there is no such limit, expected one of ${Object.keys(LIMITS).join(', ')}`);
    }
  }
  const entries = Object.entries(LIMITS).map(([name, { limit, min, max, fallback }]) => [
    limit,
    integer(env, name, min, max) ?? fallback,
  ]);
  const limits = Object.fromEntries(entries) as PlatformLimits;
  return Object.freeze({ ...limits, idempotencyMs: keysKnown(env, limits) });
}

/** A key is known by its job: it is forgotten with it at the latest. */
function keysKnown(env: Environment, { idempotencyMs, jobRetentionMs }: PlatformLimits): number {
  if (idempotencyMs <= jobRetentionMs) return idempotencyMs;
  if (text(env, 'LIMIT_IDEMPOTENCY_MS') === undefined) return jobRetentionMs;
  throw new ConfigError(
    'LIMIT_IDEMPOTENCY_MS',
    `expected at most LIMIT_JOB_RETENTION_MS, which is ${jobRetentionMs}: a key is forgotten with its job`,
  );
}
